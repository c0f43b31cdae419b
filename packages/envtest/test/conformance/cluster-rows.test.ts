import { CLUSTER_ROWS } from "./rows/all-rows.ts";
import { testRows } from "./test-rows.ts";

testRows(CLUSTER_ROWS);
