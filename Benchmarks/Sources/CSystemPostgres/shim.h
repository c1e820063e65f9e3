#ifndef BENCHMARKS_POSTGRES_SHIM_H
#define BENCHMARKS_POSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
