-- 3: 'geomaen' is not defined; did you mean geomean?
study { name = "x", title = "x" }
local m = geomaen { 1, 2 }
