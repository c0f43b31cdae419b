import type { Head, HeadReader } from "./item-head.ts";

/** Reports whether a list or map has an item of an index; reads the break of one whose length is unknown. */
export function hasNext(reader: HeadReader, { isIndefinite, argument }: Head, index: number): boolean {
  return isIndefinite ? !reader.takesBreak() : index < Number(argument);
}

/** Skips the next well-formed data item. */
export function skipItem(reader: HeadReader): void {
  const head = reader.head();
  switch (head.type) {
    case "byte string":
    case "UTF-8 text string":
      if (head.isIndefinite) skipItems(reader, head, 1);
      else reader.take(head.argument);
      break;
    case "array":
      skipItems(reader, head, 1);
      break;
    case "map":
      skipItems(reader, head, 2);
      break;
    case "tag":
      skipItem(reader);
      break;
    case "positive integer":
    case "negative integer":
    case "primitives":
  }
}

function skipItems(reader: HeadReader, head: Head, perIndex: number): void {
  for (let index = 0; hasNext(reader, head, index); index += 1) {
    for (let item = 0; item < perIndex; item += 1) skipItem(reader);
  }
}
