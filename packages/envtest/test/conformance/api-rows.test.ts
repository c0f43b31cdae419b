import { API_ROWS } from "./rows/all-rows.ts";
import { testRows } from "./test-rows.ts";

testRows(API_ROWS);
