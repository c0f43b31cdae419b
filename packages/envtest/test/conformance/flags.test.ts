import { FLAG_ROWS } from "./rows/flag-rows.ts";
import { testFlagRows } from "./test-flag-rows.ts";

testFlagRows(FLAG_ROWS);
