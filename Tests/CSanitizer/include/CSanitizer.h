// Tells Thread Sanitizer what it can't see by itself. Nothing calls it: it takes effect by being linked to the tests.
