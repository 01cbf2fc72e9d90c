#include "haversack.h"
