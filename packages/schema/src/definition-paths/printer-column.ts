/** Lists the types that a server takes for a printer column. */
export const PRINTER_COLUMN_TYPES: readonly string[] = ["boolean", "date", "integer", "number", "string"];

/** Lists the formats that a server takes for a printer column. */
export const PRINTER_COLUMN_FORMATS: readonly string[] = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];
