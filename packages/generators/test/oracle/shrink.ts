import type { Comment, Declaration, Field, Package, TypeExpression } from "./package-model.ts";

/** Reports whether a package still shows what is looked for; is asked about several at once, since asking costs. */
export type Judge = (candidates: readonly Package[]) => Promise<readonly boolean[]>;

/** Removes from a package what can be omitted while it still shows what is looked for. */
export async function shrink(model: Package, stillShows: Judge): Promise<Package> {
  let smallest = model;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const candidates = simplerPackages(smallest);
    const answers = await stillShows(candidates);
    const next = candidates.find((_, index) => answers[index] === true);
    if (next === undefined) return smallest;
    smallest = next;
  }
  return smallest;
}

const MOST_ROUNDS = 200;

/** Lists the packages that lack one thing each, what takes out most first. */
function simplerPackages(model: Package): readonly Package[] {
  if (model.kind !== "crd") {
    return [
      ...without(model.files).map((files) => ({ ...model, files })),
      ...inOne(model.files, (file) => without(file.groups).map((groups) => ({ ...file, groups }))).map((files) => ({
        ...model,
        files,
      })),
      ...inOne(model.files, (file) =>
        inOne(file.groups, (group) => without(group)).map((groups) => ({ ...file, groups })),
      ).map((files) => ({ ...model, files })),
    ].filter(({ files }) => files.some(({ groups }) => groups.length > 0));
  }
  const options = simplerOptions(model.options).map((each) => ({ ...model, options: each }));
  const folders = [
    ...without(model.folders),
    ...inOne(model.folders, (folder) =>
      without(folder.declarations).map((declarations) => ({ ...folder, declarations })),
    ),
    ...inOne(model.folders, (folder) =>
      withoutEach(folder.markers, (marker) => !marker.startsWith("+groupName")).map((markers) => ({
        ...folder,
        markers,
      })),
    ),
    ...inOne(model.folders, (folder) =>
      inOne(folder.declarations, (each) => simplerDeclarations(each)).map((declarations) => ({
        ...folder,
        declarations,
      })),
    ),
  ];
  return [...folders.filter((each) => each.length > 0).map((each) => ({ ...model, folders: each })), ...options];
}

function simplerOptions(options: readonly string[]): readonly (readonly string[])[] {
  return inOne(options, (option) => {
    const [name = "", words = ""] = option.split(/:(.*)/su);
    return without(words.split(",").filter((word) => word !== "")).map((kept) =>
      [name, kept.join(",")].filter((part) => part !== "").join(":"),
    );
  });
}

function simplerDeclarations(declaration: Declaration): readonly Declaration[] {
  const comments = simplerComments(declaration.comment).map((comment) => ({ ...declaration, comment }));
  if (declaration.kind === "enum")
    return [
      ...comments.filter((each) => each.comment.markers.includes("+k8s:enum")),
      ...without(declaration.values).map((values) => ({ ...declaration, values })),
    ];
  if (declaration.kind === "named")
    return [...comments, ...simplerTypes(declaration.type).map((type) => ({ ...declaration, type }))];
  return [
    ...without(declaration.fields).map((fields) => ({ ...declaration, fields })),
    ...without(declaration.embeds).map((embeds) => ({ ...declaration, embeds })),
    ...comments,
    ...inOne(declaration.fields, (field) => simplerFields(field)).map((fields) => ({ ...declaration, fields })),
  ];
}

function simplerFields(field: Field): readonly Field[] {
  return [
    ...simplerComments(field.comment).map((comment) => ({ ...field, comment })),
    ...simplerTypes(field.type).map((type) => ({ ...field, type })),
    ...(field.isPointer ? [{ ...field, isPointer: false }] : []),
  ];
}

function simplerComments(comment: Comment): readonly Comment[] {
  return [
    ...(comment.doc.length > 1 ? [{ ...comment, doc: [] }] : []),
    ...without(comment.markers).map((markers) => ({ ...comment, markers })),
    ...without(comment.doc).map((doc) => ({ ...comment, doc })),
    ...inOne(comment.doc, (line) => simplerLines(line)).map((doc) => ({ ...comment, doc })),
    ...(comment.layout === "after text" ? [] : [{ ...comment, layout: "after text" as const }]),
  ];
}

function simplerLines(line: string): readonly string[] {
  const words = line.split(" ");
  return words.length < 2
    ? []
    : [words.slice(0, words.length >> 1).join(" "), words.slice(words.length >> 1).join(" "), words.slice(1).join(" ")];
}

function simplerTypes(type: TypeExpression): readonly TypeExpression[] {
  if (type.kind === "list") return [type.items];
  if (type.kind === "map") return [type.values];
  return type.kind === "basic" && type.name === "string" ? [] : [{ kind: "basic", name: "string" }];
}

// Kinds without a group are none of ours, so that nothing is shown by what lacks one.
function withoutEach<Item>(items: readonly Item[], isTaken: (item: Item) => boolean): readonly (readonly Item[])[] {
  return without(items).filter((_, index) => items.slice(index, index + 1).every((item) => isTaken(item)));
}

function without<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.map((_, index) => items.filter((__, at) => at !== index));
}

function inOne<Item>(items: readonly Item[], simpler: (item: Item) => readonly Item[]): readonly (readonly Item[])[] {
  return items.flatMap((item, index) =>
    simpler(item).map((each) => items.map((other, at) => (at === index ? each : other))),
  );
}
