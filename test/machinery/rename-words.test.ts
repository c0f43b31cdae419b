import { describe, expect, it } from "vitest";

import { learnWords, renameWords, type WordMap } from "../../src/machinery/rename-words.ts";

const NONE: WordMap = { code: new Map(), text: new Map() };

function learn(path: string, before: string, after: string): WordMap {
  return learnWords([{ path, before, after }], NONE);
}

describe("renameWords", () => {
  it("replaces whole words alone", () => {
    const words = learn("a.ts", "new Book()", "new Album()");
    expect(renameWords("b.ts", "Book.of(Books, myBook, Book_, $Book)", words)).toBe(
      "Album.of(Books, myBook, Book_, $Book)",
    );
  });

  it("tells a variable from the text in strings, templates and markers", () => {
    const words = learn(
      "a.ts",
      'use(book, "book"); // book\n// +kubebuilder:rbac:resources=book\n',
      'use(photoAlbum, "photoalbum"); // photoAlbum\n// +kubebuilder:rbac:resources=photoalbum\n',
    );
    expect(renameWords("b.ts", 'say(`book ${book.id} book`, "\\"book", book);', words)).toBe(
      'say(`photoalbum ${photoAlbum.id} photoalbum`, "\\"photoalbum", photoAlbum);',
    );
    expect(renameWords("b.yaml", "kind: book", words)).toBe("kind: photoalbum");
  });

  it("tells what changes from what stays by the characters around it, and leaves what it cannot tell", () => {
    const words = learn("a.yaml", "name: shop\nkind: shop-sample\n", "name: shop\nkind: store-sample\n");
    expect(renameWords("b.yaml", "x: shop-sample\ny: shop\nz: [shop]\n", words)).toBe(
      "x: store-sample\ny: shop\nz: [shop]\n",
    );
  });

  it("learns nothing from texts that do not match word by word", () => {
    expect(renameWords("a.ts", "one two", learn("a.ts", "one two", "one more two"))).toBe("one two");
  });
});
