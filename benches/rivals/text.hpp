// How a rival reads its file: by a scanner made for it, or with -DSTREAM by the streams of the library.
#pragma once
#ifdef STREAM
#include "text_stream.hpp"
#else
#include "text_scan.hpp"
#endif
