import { GUARD_ROWS } from "./rows/all-rows.ts";
import { testRows } from "./test-rows.ts";

testRows(GUARD_ROWS);
