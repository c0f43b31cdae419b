/** The codes of findings about a user's sources and arguments, each with its meaning and the fix; `npm run docs:errors` makes docs/errors.md of them. */
interface DiagnosticCodes {
  /**
   * A source is not text in UTF-8.
   *
   * Fix: Save it as UTF-8, or rename it when it is no TypeScript.
   */
  readonly LOADER_BINARY: never;
  /**
   * `paths=` names what does not exist.
   *
   * Fix: Correct the path, relative to the project.
   */
  readonly LOADER_PATH_NOT_FOUND: never;
  /**
   * A source does not parse.
   *
   * Fix: Correct the source at the place of the message.
   */
  readonly LOADER_SYNTAX: never;
  /**
   * A source has more brackets inside one another than are read.
   *
   * Fix: Give the inner types names of their own.
   */
  readonly LOADER_TOO_DEEP: never;
  /**
   * A source is larger than 8 MiB.
   *
   * Fix: Split it, or move what is no type of an API elsewhere.
   */
  readonly LOADER_TOO_LARGE: never;
  /**
   * The tsconfig file that `paths=` names, or one that it extends, is wrong or missing.
   *
   * Fix: Correct the file, or give folders in its place.
   */
  readonly LOADER_TSCONFIG: never;
  /**
   * A source is there but cannot be read.
   *
   * Fix: Make the file readable for this user.
   */
  readonly LOADER_UNREADABLE: never;
  /**
   * The value of a marker is not of the form that it must have.
   *
   * Fix: Write the marker as the hint shows.
   */
  readonly MARKER_BAD_ARGUMENT: never;
  /**
   * Text follows the value of a marker, or a marker without a value has one.
   *
   * Fix: Remove the text.
   */
  readonly MARKER_EXTRA_ARGUMENT: never;
  /**
   * A marker stands where it has no effect (a warning).
   *
   * Fix: Move it to where the hint says.
   */
  readonly MARKER_MISPLACED: never;
  /**
   * A marker lacks an argument.
   *
   * Fix: Add the argument that the message names.
   */
  readonly MARKER_MISSING_ARGUMENT: never;
  /**
   * The arguments of a marker are not `name=value`, separated by commas.
   *
   * Fix: Separate arguments by commas and list values by semicolons.
   */
  readonly MARKER_SYNTAX: never;
  /**
   * A marker is longer than 256 KiB.
   *
   * Fix: Shorten its value, or remove it.
   */
  readonly MARKER_TOO_LONG: never;
  /**
   * A marker is misspelt, or text follows it (a warning).
   *
   * Fix: Take the name of the hint; see `docs/markers`.
   */
  readonly MARKER_UNKNOWN: never;
  /**
   * A marker has no argument of this name.
   *
   * Fix: Take the name of the hint.
   */
  readonly MARKER_UNKNOWN_ARGUMENT: never;
  /**
   * A kind is to get what server-side apply takes, but its package has no group.
   *
   * Fix: Put `// +groupName=example.com` into `groupversion_info.ts`.
   */
  readonly GENERATE_APPLY_NO_GROUP: never;
  /**
   * An annotation or label in `+kubebuilder:metadata` is not of the form `key=value`.
   *
   * Fix: Write `+kubebuilder:metadata:annotations="key=value"`.
   */
  readonly GENERATE_BAD_METADATA: never;
  /**
   * A property is a bare `number`, which does not say whether it is whole.
   *
   * Fix: Write `int32` or `int64` of `@kubescaffold/k8s`, or pass `crd:allowDangerousTypes=true`.
   */
  readonly GENERATE_BARE_NUMBER: never;
  /**
   * Schemapatch found a CRD whose apiVersion is not apiextensions.k8s.io/v1.
   *
   * Fix: Convert it, or move it out of the folder.
   */
  readonly GENERATE_CRD_API_VERSION: never;
  /**
   * Another version of the CRD object than v1 was asked for.
   *
   * Fix: Leave `crdVersions` out.
   */
  readonly GENERATE_CRD_VERSION: never;
  /**
   * Schemapatch found a CRD without a list of named versions.
   *
   * Fix: List them under spec.versions.
   */
  readonly GENERATE_CRD_VERSIONS: never;
  /**
   * Two packages declare the same version of the same kind.
   *
   * Fix: Give one of them another `+versionName`.
   */
  readonly GENERATE_DUPLICATE_VERSION: never;
  /**
   * A property is a floating point number, which clients in other languages read differently.
   *
   * Fix: Use an integer or a `Quantity`, or pass `crd:allowDangerousTypes=true`.
   */
  readonly GENERATE_FLOAT: never;
  /**
   * The file of `headerFile=` cannot be read.
   *
   * Fix: Correct the path, relative to the project.
   */
  readonly GENERATE_HEADER_FILE: never;
  /**
   * The file of `headerFile=` holds more than a comment of the generated language.
   *
   * Fix: Put the whole text into one comment.
   */
  readonly GENERATE_HEADER_TEXT: never;
  /**
   * An index signature stands beside properties, which API servers refuse.
   *
   * Fix: Move the free keys to a property of type `Record<string, T>`.
   */
  readonly GENERATE_INDEX_BESIDE_PROPERTIES: never;
  /**
   * The folder of `schemapatch:manifests=` does not exist.
   *
   * Fix: Correct the path, relative to the project.
   */
  readonly GENERATE_MANIFESTS_FOLDER: never;
  /**
   * The keys of a map are not strings.
   *
   * Fix: Write `Record<string, T>`.
   */
  readonly GENERATE_MAP_KEY: never;
  /**
   * A marker does not fit the type it stands above, or its value is none of those allowed.
   *
   * Fix: Remove the marker, change the type, or take one of the values in the hint.
   */
  readonly GENERATE_MARKER_MISFIT: never;
  /**
   * The values of an enum are of different types, or none is left.
   *
   * Fix: Use only strings or only integers.
   */
  readonly GENERATE_MIXED_ENUM: never;
  /**
   * No generator was named.
   *
   * Fix: Name one: `crd`, `rbac:roleName=manager-role`, `webhook`.
   */
  readonly GENERATE_NO_GENERATOR: never;
  /**
   * A Kubernetes object is declared in a package without a group, so it gets no CRD (a warning).
   *
   * Fix: Put `// +groupName=example.com` into `groupversion_info.ts`, or `// +kubebuilder:skip`.
   */
  readonly GENERATE_NO_GROUP: never;
  /**
   * No version of a kind is served.
   *
   * Fix: Remove `+kubebuilder:unservedversion` from one version.
   */
  readonly GENERATE_NO_SERVED_VERSION: never;
  /**
   * A kind has several versions and none is stored.
   *
   * Fix: Put `+kubebuilder:storageversion` above one of them.
   */
  readonly GENERATE_NO_STORAGE_VERSION: never;
  /**
   * An enum may be null, which API servers refuse (a warning).
   *
   * Fix: Leave the property out instead of null, or remove the enum.
   */
  readonly GENERATE_NULLABLE_ENUM: never;
  /**
   * A one-of marker names a field of another type.
   *
   * Fix: Name properties of the type itself.
   */
  readonly GENERATE_ONE_OF_NESTED: never;
  /**
   * A property that a one-of marker names is required.
   *
   * Fix: Make the property optional, or take it out of the marker.
   */
  readonly GENERATE_ONE_OF_REQUIRED: never;
  /**
   * Two files of the generators would have the same path, so that one would be lost.
   *
   * Fix: Give the output rules different folders.
   */
  readonly GENERATE_OUTPUT_COLLISION: never;
  /**
   * An output rule is for a generator that is not named.
   *
   * Fix: Name the generator, or remove the rule.
   */
  readonly GENERATE_OUTPUT_WITHOUT_GENERATOR: never;
  /**
   * A type contains itself, and schemas of CRDs have no references.
   *
   * Fix: Use `JSONValue` for the part that repeats, or `+kubebuilder:validation:Schemaless`.
   */
  readonly GENERATE_RECURSIVE_TYPE: never;
  /**
   * A generator is named twice.
   *
   * Fix: Join its options by commas.
   */
  readonly GENERATE_REPEATED_GENERATOR: never;
  /**
   * A generated CRD stands in the output folder, but no source defines its kind any more (a warning).
   *
   * Fix: Pass `--prune`, or delete the file.
   */
  readonly GENERATE_STALE_CRD: never;
  /**
   * Types stand inside one another more deeply than schemas are made.
   *
   * Fix: Use `JSONValue` for the inner part.
   */
  readonly GENERATE_TOO_DEEP: never;
  /**
   * Types that are combined contradict each other.
   *
   * Fix: Make them agree, or remove `+kubebuilder:validation:Type`.
   */
  readonly GENERATE_TYPE_CONFLICT: never;
  /**
   * A union has no schema.
   *
   * Fix: Use literals, a type and null, or objects that a property of literals tells apart.
   */
  readonly GENERATE_UNION: never;
  /**
   * A property that only some members of a union have has a default.
   *
   * Fix: Remove the default, or give the property to every member.
   */
  readonly GENERATE_UNION_DEFAULT: never;
  /**
   * A property has different schemas in the members of a union.
   *
   * Fix: Give it one type and the same markers, or another name.
   */
  readonly GENERATE_UNION_PROPERTY: never;
  /**
   * A word of the command line is no generator and no option.
   *
   * Fix: Correct the word; the hint has the nearest one.
   */
  readonly GENERATE_UNKNOWN_ARGUMENT: never;
  /**
   * A type cannot be found, or has no schema in `@kubescaffold/k8s`.
   *
   * Fix: Import the type or correct its name.
   */
  readonly GENERATE_UNKNOWN_TYPE: never;
  /**
   * A form of type has no schema.
   *
   * Fix: Write what the hint says, or `+kubebuilder:validation:Schemaless` with markers.
   */
  readonly GENERATE_UNSUPPORTED_TYPE: never;
  /**
   * A property has no written type.
   *
   * Fix: Write its type.
   */
  readonly GENERATE_UNTYPED_PROPERTY: never;
  /**
   * A webhook marker cannot become a webhook.
   *
   * Fix: Correct what the message names.
   */
  readonly GENERATE_WEBHOOK: never;
  /**
   * A printer column has no name, an unknown type or format, or a path that is none.
   *
   * Fix: Give the column a name, one of the types that the hint lists, and a path that begins with a dot.
   */
  readonly CRD_COLUMN_INVALID: never;
  /**
   * A printer column shows a field that the schema does not have (a warning).
   *
   * Fix: Correct the path or add the property.
   */
  readonly CRD_COLUMN_UNKNOWN: never;
  /**
   * A default stands where servers allow none.
   *
   * Fix: Remove the default.
   */
  readonly CRD_DEFAULT_MISPLACED: never;
  /**
   * A default has fields that its schema does not know, so that they would be lost.
   *
   * Fix: Take the fields out of the default, or declare them in the type.
   */
  readonly CRD_DEFAULT_PRUNED: never;
  /**
   * A default is refused by the schema that it belongs to.
   *
   * Fix: Change the default, or the type or marker that refuses it; quote a default that is to be a string.
   */
  readonly CRD_DEFAULT_REJECTED: never;
  /**
   * A deprecation warning is empty, too long, or not printable.
   *
   * Fix: One printable line of at most 256 bytes, or none for the server's own text.
   */
  readonly CRD_DEPRECATION_WARNING: never;
  /**
   * Labels, annotations and names in metadata inside an object would be lost.
   *
   * Fix: `crd:generateEmbeddedObjectMeta=true`, or a type of your own with the fields that you need.
   */
  readonly CRD_EMBEDDED_METADATA: never;
  /**
   * The group belongs to Kubernetes and lacks the annotation that approves it.
   *
   * Fix: Use a group of your own, or the annotation `api-approved.kubernetes.io`.
   */
  readonly CRD_GROUP_PROTECTED: never;
  /**
   * A key of a list of type map is missing, repeated, optional without default, nullable or no scalar.
   *
   * Fix: Make the key required or give it a default; name a property that the items have.
   */
  readonly CRD_LIST_MAP_KEY: never;
  /**
   * The type of a list or map does not fit its items.
   *
   * Fix: `+structType=atomic` above the type of the items, or another `+listType`.
   */
  readonly CRD_LIST_TYPE: never;
  /**
   * A label or annotation of the CRD is not one that servers take.
   *
   * Fix: `+kubebuilder:metadata:labels="example.com/key=value"`.
   */
  readonly CRD_METADATA_INVALID: never;
  /**
   * Two kinds of a group share a name.
   *
   * Fix: Give one of the kinds another name with `+kubebuilder:resource`.
   */
  readonly CRD_NAME_CONFLICT: never;
  /**
   * A name of the resource, of its group or of a version is not one that servers take.
   *
   * Fix: Lower-case letters, digits and `-`, a letter first; a group has a dot.
   */
  readonly CRD_NAME_INVALID: never;
  /**
   * The schema is not structural, so that servers refuse it.
   *
   * Fix: The message names the place and what is missing there.
   */
  readonly CRD_NOT_STRUCTURAL: never;
  /**
   * A pattern is no regular expression of Go (RE2).
   *
   * Fix: Write the pattern without look-around and back-references, in backticks.
   */
  readonly CRD_PATTERN_INVALID: never;
  /**
   * Spec.preserveUnknownFields is true, which servers refuse.
   *
   * Fix: Leave the option out, and mark fields with `+kubebuilder:pruning:PreserveUnknownFields`.
   */
  readonly CRD_PRESERVE_UNKNOWN: never;
  /**
   * `relax` names a check that there is not.
   *
   * Fix: Take the name of the hint; [checks of CRDs](generator-checks.md) lists them.
   */
  readonly CRD_RELAX_UNKNOWN: never;
  /**
   * A CEL rule may cost more than servers allow.
   *
   * Fix: Add the markers that the hint names (`MaxItems`, `MaxProperties`, `MaxLength`), or simplify the rule.
   */
  readonly CRD_RULE_COST: never;
  /**
   * A CEL rule does not parse, does not fit the types of the schema, or has wrong settings.
   *
   * Fix: Correct the expression at the place that the caret shows.
   */
  readonly CRD_RULE_INVALID: never;
  /**
   * A path of the scale subresource is not below spec or status.
   *
   * Fix: Give paths below `.spec` and `.status`, without brackets.
   */
  readonly CRD_SCALE_PATH: never;
  /**
   * A path of the scale subresource leads to a field that the schema does not have (a warning).
   *
   * Fix: Correct the path or add the property.
   */
  readonly CRD_SCALE_UNKNOWN: never;
  /**
   * The scope is neither Namespaced nor Cluster.
   *
   * Fix: `scope=Namespaced` or `scope=Cluster`.
   */
  readonly CRD_SCOPE_INVALID: never;
  /**
   * A selectable field does not lead to a string, boolean or integer outside metadata.
   *
   * Fix: Name a string, boolean or integer by a path of names with dots.
   */
  readonly CRD_SELECTABLE_FIELD: never;
  /**
   * The CRD is larger than etcd stores.
   *
   * Fix: `crd:maxDescLen=0`, or `JSONValue` in place of a large branch.
   */
  readonly CRD_TOO_LARGE: never;
  /**
   * The CRD is larger than client-side apply can record (a warning).
   *
   * Fix: `crd:maxDescLen=0`, `kubectl apply --server-side`, or `kubectl create`.
   */
  readonly CRD_TOO_LARGE_TO_APPLY: never;
  /**
   * UniqueItems is true, which servers refuse.
   *
   * Fix: `+listType=set`, or `+listType=map` with `+listMapKey`.
   */
  readonly CRD_UNIQUE_ITEMS: never;
  /**
   * A printer column is gone (a warning).
   *
   * Fix: Keep `+kubebuilder:printcolumn`.
   */
  readonly COMPAT_COLUMN_REMOVED: never;
  /**
   * A kind of a group that is generated is gone, with all its objects.
   *
   * Fix: Keep the kind, or relax the check once no objects are left.
   */
  readonly COMPAT_CRD_REMOVED: never;
  /**
   * A default differs or is gone (a warning).
   *
   * Fix: Keep the default, or change it with a new version.
   */
  readonly COMPAT_DEFAULT_CHANGED: never;
  /**
   * An enum has fewer values, or is new.
   *
   * Fix: Keep the values, or serve a new version.
   */
  readonly COMPAT_ENUM_NARROWED: never;
  /**
   * A field is gone, so that its values are pruned.
   *
   * Fix: Keep the field as long as a version with it is served; after a rename keep both names, or convert.
   */
  readonly COMPAT_FIELD_REMOVED: never;
  /**
   * The former version has no CRD of version v1.
   *
   * Fix: Name the folder that holds the CRDs, `compat=v1.2.0:config/crd/bases`.
   */
  readonly COMPAT_FORMER_EMPTY: never;
  /**
   * `crd:compat` names neither a folder or file nor a commit with the folder.
   *
   * Fix: Name a folder or file with CRDs, or a commit, branch or tag.
   */
  readonly COMPAT_FORMER_MISSING: never;
  /**
   * A file of the former version is no YAML.
   *
   * Fix: Correct the file, or name another former version.
   */
  readonly COMPAT_FORMER_UNREADABLE: never;
  /**
   * A list has other keys, or became a set or map, so that stored items may be repeated.
   *
   * Fix: Keep the type and keys, or serve a new version.
   */
  readonly COMPAT_LIST_TYPE_CHANGED: never;
  /**
   * A list or object is merged or replaced differently by server-side apply (a warning).
   *
   * Fix: Keep the type unless the other ownership is wanted.
   */
  readonly COMPAT_MERGE_CHANGED: never;
  /**
   * The kind, its list or a name by which it is asked for differs.
   *
   * Fix: Keep the names that clients, scripts and owner references use.
   */
  readonly COMPAT_NAMES_CHANGED: never;
  /**
   * `crd:compat` names a commit, but the CRDs of this run go to no folder.
   *
   * Fix: Name the folder too: `compat=v1.2.0:config/crd/bases`.
   */
  readonly COMPAT_NO_FOLDER: never;
  /**
   * A field may not be null any more.
   *
   * Fix: Allow null again, or give the field a default.
   */
  readonly COMPAT_NULLABLE_REMOVED: never;
  /**
   * Unknown fields were kept and are pruned now.
   *
   * Fix: Keep unknown fields, or declare every field that objects have.
   */
  readonly COMPAT_PRUNING: never;
  /**
   * A field must be given now and has no default.
   *
   * Fix: Make the field optional, or give it a default.
   */
  readonly COMPAT_REQUIRED_ADDED: never;
  /**
   * A CEL rule is new or says something else.
   *
   * Fix: Leave the rule out, or serve a new version.
   */
  readonly COMPAT_RULE_ADDED: never;
  /**
   * The scope differs, which servers refuse to change.
   *
   * Fix: Keep the scope, or use another kind.
   */
  readonly COMPAT_SCOPE_CHANGED: never;
  /**
   * A field cannot be used in field selectors any more.
   *
   * Fix: Keep `+kubebuilder:selectablefield`.
   */
  readonly COMPAT_SELECTABLE_REMOVED: never;
  /**
   * Objects will be stored in a version whose schema does not hold all they have (a warning).
   *
   * Fix: Install a conversion webhook first.
   */
  readonly COMPAT_STORAGE_CHANGED: never;
  /**
   * The version that objects are stored in is gone, which servers refuse.
   *
   * Fix: Keep it with `+kubebuilder:unservedversion` until all objects are migrated.
   */
  readonly COMPAT_STORAGE_REMOVED: never;
  /**
   * Status is written through its subresource now, and ignored elsewhere (a warning).
   *
   * Fix: Tell clients to write `/status`.
   */
  readonly COMPAT_SUBRESOURCE_ADDED: never;
  /**
   * The status or scale subresource is gone.
   *
   * Fix: Keep the marker of the subresource.
   */
  readonly COMPAT_SUBRESOURCE_REMOVED: never;
  /**
   * A field has another type.
   *
   * Fix: Add a new field beside it, or serve a new version with a conversion.
   */
  readonly COMPAT_TYPE_CHANGED: never;
  /**
   * A bound, length, pattern, format or combination allows less.
   *
   * Fix: Loosen it again, or serve a new version.
   */
  readonly COMPAT_VALIDATION_TIGHTENED: never;
  /**
   * A version that was served is gone.
   *
   * Fix: Serve the version until no client uses it.
   */
  readonly COMPAT_VERSION_REMOVED: never;
  /**
   * A version that was served is not served any more.
   *
   * Fix: Serve the version until no client uses it; `+kubebuilder:deprecatedversion` warns them.
   */
  readonly COMPAT_VERSION_UNSERVED: never;
  /**
   * A name, path or text in a CustomResourceDefinition is one that API servers refuse; the diagnostic has file, line and column.
   *
   * Fix: Correct the value.
   */
  readonly IMPORT_INVALID_NAME: never;
}

/** A code of a finding. */
export type DiagnosticCode = keyof DiagnosticCodes;
