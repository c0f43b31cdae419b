// +groupName=golden.example.com
import type { Part } from "./c.ts";

export interface WidgetSpec {
  part: Part;
}
