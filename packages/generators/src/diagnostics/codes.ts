/** The codes of findings about a user's sources and arguments, each with its meaning and the fix; `npm run docs:errors` makes docs/reference/errors.md of them. */
interface DiagnosticCodes {
  /**
   * A source file is not UTF-8 text.
   *
   * Fix: Save it as UTF-8, or rename it if it is not TypeScript.
   */
  readonly LOADER_BINARY: never;
  /**
   * A type is declared as a kind, with a marker or with `defineKind`, but it is not a Kubernetes object: no CRD would be generated for it.
   *
   * Fix: Extend `NamespacedObject` or `KubernetesObject` of `@kubescaffold/k8s/meta/v1`, and export the type.
   */
  readonly LOADER_NOT_A_KIND: never;
  /**
   * A path in `paths=` does not exist.
   *
   * Fix: Fix the path, which is relative to the project.
   */
  readonly LOADER_PATH_NOT_FOUND: never;
  /**
   * A source file has a syntax error.
   *
   * Fix: Fix the syntax error.
   */
  readonly LOADER_SYNTAX: never;
  /**
   * A source file has too many nested brackets.
   *
   * Fix: Give the inner types their own names.
   */
  readonly LOADER_TOO_DEEP: never;
  /**
   * A source file is larger than 8 MiB.
   *
   * Fix: Split it, or move everything except API types to another file.
   */
  readonly LOADER_TOO_LARGE: never;
  /**
   * The tsconfig file in `paths=`, or one that it extends, is invalid or missing.
   *
   * Fix: Fix the file, or pass folders instead.
   */
  readonly LOADER_TSCONFIG: never;
  /**
   * A source file cannot be read.
   *
   * Fix: Make the file readable for this user.
   */
  readonly LOADER_UNREADABLE: never;
  /**
   * The value of a marker is invalid.
   *
   * Fix: Use the form in the hint.
   */
  readonly MARKER_BAD_ARGUMENT: never;
  /**
   * A marker has text after its value, or a value although it takes none.
   *
   * Fix: Remove the text.
   */
  readonly MARKER_EXTRA_ARGUMENT: never;
  /**
   * A marker has no effect in its position (a warning).
   *
   * Fix: Move it to the position in the hint.
   */
  readonly MARKER_MISPLACED: never;
  /**
   * A marker lacks a required argument.
   *
   * Fix: Add the argument.
   */
  readonly MARKER_MISSING_ARGUMENT: never;
  /**
   * The arguments of a marker are not `name=value` pairs separated by commas.
   *
   * Fix: Separate arguments with commas, and list items with semicolons.
   */
  readonly MARKER_SYNTAX: never;
  /**
   * A marker is longer than 256 KiB.
   *
   * Fix: Shorten its value, or remove it.
   */
  readonly MARKER_TOO_LONG: never;
  /**
   * A marker is misspelled, or followed by text (a warning), or a tag of validation-gen that no generator reads (an error).
   *
   * Fix: Use the name or the marker in the hint; see `docs/reference/markers`.
   */
  readonly MARKER_UNKNOWN: never;
  /**
   * A marker does not have the argument.
   *
   * Fix: Use the name in the hint.
   */
  readonly MARKER_UNKNOWN_ARGUMENT: never;
  /**
   * An apply configuration was requested for a kind in a package without a group.
   *
   * Fix: Add `// +groupName=example.com` to `groupversion_info.ts`.
   */
  readonly GENERATE_APPLY_NO_GROUP: never;
  /**
   * An annotation or label in `+kubebuilder:metadata` does not have the form `key=value`.
   *
   * Fix: Use `+kubebuilder:metadata:annotations="key=value"`.
   */
  readonly GENERATE_BAD_METADATA: never;
  /**
   * The type of a property is `number`, which does not imply an integer.
   *
   * Fix: Use `int32` or `int64` from `@kubescaffold/k8s`, or pass `crd:allowDangerousTypes=true`.
   */
  readonly GENERATE_BARE_NUMBER: never;
  /**
   * A conversion was requested to a hub that the sources do not have.
   *
   * Fix: Set `hub=` of `+kubescaffold:conversion` to another version of the kind, and pass the folders of both versions in `paths=`.
   */
  readonly GENERATE_CONVERSION_NO_HUB: never;
  /**
   * A conversion was requested for a kind that the package does not have.
   *
   * Fix: Set `kind=` of `+kubescaffold:conversion` to a kind of the package.
   */
  readonly GENERATE_CONVERSION_NO_KIND: never;
  /**
   * Schemapatch found a CRD whose apiVersion is not apiextensions.k8s.io/v1.
   *
   * Fix: Convert it, or move it out of the folder.
   */
  readonly GENERATE_CRD_API_VERSION: never;
  /**
   * A CRD version other than v1 was requested.
   *
   * Fix: Omit `crdVersions`.
   */
  readonly GENERATE_CRD_VERSION: never;
  /**
   * Schemapatch found a CRD without a list of named versions.
   *
   * Fix: Add them to `spec.versions`.
   */
  readonly GENERATE_CRD_VERSIONS: never;
  /**
   * The file in `descriptionsFile=` cannot be read, or contains no descriptions of built-in types.
   *
   * Fix: Write the file with `scaffold k8s-docs --output-file`, or fix the path, which is relative to the project.
   */
  readonly GENERATE_DESCRIPTIONS_FILE: never;
  /**
   * Two packages declare the same version of the same kind.
   *
   * Fix: Change the `+versionName` of one of them.
   */
  readonly GENERATE_DUPLICATE_VERSION: never;
  /**
   * The type of a property is a floating-point number, whose precision depends on the client language.
   *
   * Fix: Use an integer or a `Quantity`, or pass `crd:allowDangerousTypes=true`.
   */
  readonly GENERATE_FLOAT: never;
  /**
   * The file in `headerFile=` cannot be read.
   *
   * Fix: Fix the path, which is relative to the project.
   */
  readonly GENERATE_HEADER_FILE: never;
  /**
   * The file in `headerFile=` contains more than a comment.
   *
   * Fix: Put the whole text into one comment.
   */
  readonly GENERATE_HEADER_TEXT: never;
  /**
   * A type has an index signature and properties, a combination that API servers reject.
   *
   * Fix: Move the index signature to a property of type `Record<string, T>`.
   */
  readonly GENERATE_INDEX_BESIDE_PROPERTIES: never;
  /**
   * The folder in `schemapatch:manifests=` does not exist.
   *
   * Fix: Fix the path, which is relative to the project.
   */
  readonly GENERATE_MANIFESTS_FOLDER: never;
  /**
   * The keys of a map are not strings, or are limited to a template, which schemas cannot express.
   *
   * Fix: Use `Record<string, T>`, with a rule that checks the keys.
   */
  readonly GENERATE_MAP_KEY: never;
  /**
   * A marker does not match the type below it, or its value is not one of the allowed values.
   *
   * Fix: Remove the marker, change the type, or use one of the values in the hint.
   */
  readonly GENERATE_MARKER_MISFIT: never;
  /**
   * The values of an enum have different types, or the enum is empty.
   *
   * Fix: Use only strings or only integers.
   */
  readonly GENERATE_MIXED_ENUM: never;
  /**
   * Two types of a package would get the same name in a generated file, such as types of one name in two files.
   *
   * Fix: Rename one of the types, or exclude it with the marker in the hint.
   */
  readonly GENERATE_NAME_CONFLICT: never;
  /**
   * No generator was specified.
   *
   * Fix: Specify one: `crd`, `rbac:roleName=manager-role`, `webhook`.
   */
  readonly GENERATE_NO_GENERATOR: never;
  /**
   * A kind is declared in a package without a group, so it gets no CRD (a warning).
   *
   * Fix: Add `// +groupName=example.com` to `groupversion_info.ts`, or `// +kubebuilder:skip`.
   */
  readonly GENERATE_NO_GROUP: never;
  /**
   * No version of a kind is served.
   *
   * Fix: Remove `+kubebuilder:unservedversion` from one version.
   */
  readonly GENERATE_NO_SERVED_VERSION: never;
  /**
   * A kind has several versions and no storage version.
   *
   * Fix: Add `+kubebuilder:storageversion` to one of them.
   */
  readonly GENERATE_NO_STORAGE_VERSION: never;
  /**
   * An enum is nullable, which API servers reject (a warning).
   *
   * Fix: Make the property optional instead of nullable, or remove the enum.
   */
  readonly GENERATE_NULLABLE_ENUM: never;
  /**
   * A one-of marker refers to a field of another type.
   *
   * Fix: Use properties of the type itself.
   */
  readonly GENERATE_ONE_OF_NESTED: never;
  /**
   * A property in a one-of marker is required.
   *
   * Fix: Make the property optional, or remove it from the marker.
   */
  readonly GENERATE_ONE_OF_REQUIRED: never;
  /**
   * Two generated files have the same path, so one would be lost.
   *
   * Fix: Use different folders in the output rules.
   */
  readonly GENERATE_OUTPUT_COLLISION: never;
  /**
   * An output rule belongs to a generator that is not specified.
   *
   * Fix: Specify the generator, or remove the rule.
   */
  readonly GENERATE_OUTPUT_WITHOUT_GENERATOR: never;
  /**
   * A type contains itself, which CRD schemas cannot express.
   *
   * Fix: Use `JSONValue` for the recursive part, or `+kubebuilder:validation:Schemaless`.
   */
  readonly GENERATE_RECURSIVE_TYPE: never;
  /**
   * A generator is specified twice.
   *
   * Fix: Combine its options with commas.
   */
  readonly GENERATE_REPEATED_GENERATOR: never;
  /**
   * The output folder contains a generated CRD whose kind no longer exists in the sources (a warning).
   *
   * Fix: Pass `--prune`, or delete the file.
   */
  readonly GENERATE_STALE_CRD: never;
  /**
   * Types are nested too deeply.
   *
   * Fix: Use `JSONValue` for the inner part.
   */
  readonly GENERATE_TOO_DEEP: never;
  /**
   * Combined types contradict each other.
   *
   * Fix: Make them compatible, or remove `+kubebuilder:validation:Type`.
   */
  readonly GENERATE_TYPE_CONFLICT: never;
  /**
   * A union cannot be expressed as a schema.
   *
   * Fix: Use literals, a type and null, or objects with a discriminator property.
   */
  readonly GENERATE_UNION: never;
  /**
   * A property that only some members of a union have has a default.
   *
   * Fix: Remove the default, or add the property to every member.
   */
  readonly GENERATE_UNION_DEFAULT: never;
  /**
   * A property has different schemas in the members of a union.
   *
   * Fix: Use the same type and markers in all members, or another name.
   */
  readonly GENERATE_UNION_PROPERTY: never;
  /**
   * An argument is neither a generator nor an option.
   *
   * Fix: Fix the argument; the hint suggests the nearest one.
   */
  readonly GENERATE_UNKNOWN_ARGUMENT: never;
  /**
   * A type cannot be found, or `@kubescaffold/k8s` has no schema for it.
   *
   * Fix: Import the type, or fix its name.
   */
  readonly GENERATE_UNKNOWN_TYPE: never;
  /**
   * A type cannot be expressed as a schema.
   *
   * Fix: Follow the hint, or use `+kubebuilder:validation:Schemaless` with markers.
   */
  readonly GENERATE_UNSUPPORTED_TYPE: never;
  /**
   * A property has no type annotation.
   *
   * Fix: Add a type annotation.
   */
  readonly GENERATE_UNTYPED_PROPERTY: never;
  /**
   * A webhook marker is invalid.
   *
   * Fix: Fix the argument in the message.
   */
  readonly GENERATE_WEBHOOK: never;
  /**
   * The maximum or multiple of an integer is not within 64 bits, so API servers refuse every value.
   *
   * Fix: Remove the marker: integers have this limit anyway.
   */
  readonly CRD_BOUND_OUT_OF_RANGE: never;
  /**
   * A printer column has no name, an unknown type or format, or an invalid path.
   *
   * Fix: Set a name, a type from the hint, and a path that starts with a dot.
   */
  readonly CRD_COLUMN_INVALID: never;
  /**
   * A printer column refers to a field that is not in the schema (a warning).
   *
   * Fix: Fix the path, or add the property.
   */
  readonly CRD_COLUMN_UNKNOWN: never;
  /**
   * A default is not allowed here.
   *
   * Fix: Remove the default.
   */
  readonly CRD_DEFAULT_MISPLACED: never;
  /**
   * A default has unknown fields, which would be pruned.
   *
   * Fix: Remove the fields from the default, or declare them in the type.
   */
  readonly CRD_DEFAULT_PRUNED: never;
  /**
   * A default violates its own schema.
   *
   * Fix: Change the default, type, or marker; quote a string default.
   */
  readonly CRD_DEFAULT_REJECTED: never;
  /**
   * A deprecation warning is empty, too long, or not printable.
   *
   * Fix: One printable line of at most 256 bytes, or none for the API server's default text.
   */
  readonly CRD_DEPRECATION_WARNING: never;
  /**
   * Labels, annotations, and names in embedded metadata would be pruned.
   *
   * Fix: `crd:generateEmbeddedObjectMeta=true`, or your own type with the fields that you need.
   */
  readonly CRD_EMBEDDED_METADATA: never;
  /**
   * A value of an enum is not of the type of its property, such as the number 1.3 of a string, so API servers refuse it.
   *
   * Fix: Quote the values of strings.
   */
  readonly CRD_ENUM_TYPE: never;
  /**
   * The group belongs to Kubernetes and lacks the approval annotation.
   *
   * Fix: Use your own group, or the annotation `api-approved.kubernetes.io`.
   */
  readonly CRD_GROUP_PROTECTED: never;
  /**
   * A list map key is missing, repeated, optional without default, nullable, or not a scalar.
   *
   * Fix: Make the key required or give it a default; name a property of the items.
   */
  readonly CRD_LIST_MAP_KEY: never;
  /**
   * The list or map type does not fit the items.
   *
   * Fix: `+structType=atomic` above the type of the items, or another `+listType`.
   */
  readonly CRD_LIST_TYPE: never;
  /**
   * A label or annotation of the CRD is not valid.
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
   * A resource, group, or version name is not valid.
   *
   * Fix: Use lower-case letters, digits, and `-`, starting with a letter; a group contains a dot.
   */
  readonly CRD_NAME_INVALID: never;
  /**
   * The schema is not structural, so API servers reject it.
   *
   * Fix: See the message for the position and the missing part.
   */
  readonly CRD_NOT_STRUCTURAL: never;
  /**
   * A pattern is not a valid Go regular expression (RE2).
   *
   * Fix: Write the pattern without look-around and back-references, in backticks.
   */
  readonly CRD_PATTERN_INVALID: never;
  /**
   * Spec.preserveUnknownFields is true, which API servers reject.
   *
   * Fix: Omit the option, and mark fields with `+kubebuilder:pruning:PreserveUnknownFields`.
   */
  readonly CRD_PRESERVE_UNKNOWN: never;
  /**
   * `relax` contains an unknown check.
   *
   * Fix: Use the name in the hint; for all checks, see [generator-checks.md](generator-checks.md).
   */
  readonly CRD_RELAX_UNKNOWN: never;
  /**
   * The estimated cost of a CEL rule exceeds the limit.
   *
   * Fix: Add the markers from the hint (`MaxItems`, `MaxProperties`, `MaxLength`), or simplify the rule.
   */
  readonly CRD_RULE_COST: never;
  /**
   * A CEL rule has a syntax error, a type error, or invalid settings.
   *
   * Fix: Fix the expression at the caret.
   */
  readonly CRD_RULE_INVALID: never;
  /**
   * A path of the scale subresource is not in spec or status.
   *
   * Fix: Use paths in `.spec` and `.status`, without brackets.
   */
  readonly CRD_SCALE_PATH: never;
  /**
   * A path of the scale subresource refers to a field that is not in the schema (a warning).
   *
   * Fix: Fix the path, or add the property.
   */
  readonly CRD_SCALE_UNKNOWN: never;
  /**
   * The scope is neither Namespaced nor Cluster.
   *
   * Fix: `scope=Namespaced` or `scope=Cluster`.
   */
  readonly CRD_SCOPE_INVALID: never;
  /**
   * A cluster-scoped kind extends `NamespacedObject`, whose objects have a namespace (a warning).
   *
   * Fix: Extend `KubernetesObject`, or omit `scope=Cluster`.
   */
  readonly CRD_SCOPE_MISMATCH: never;
  /**
   * A selectable field is not a string, boolean, or integer outside of metadata.
   *
   * Fix: Use the dotted path of a string, boolean, or integer.
   */
  readonly CRD_SELECTABLE_FIELD: never;
  /**
   * The CRD exceeds etcd's size limit.
   *
   * Fix: `crd:maxDescLen=0`, or `JSONValue` in place of a large branch.
   */
  readonly CRD_TOO_LARGE: never;
  /**
   * The CRD is too large for client-side apply (a warning).
   *
   * Fix: `crd:maxDescLen=0`, `kubectl apply --server-side`, or `kubectl create`.
   */
  readonly CRD_TOO_LARGE_TO_APPLY: never;
  /**
   * UniqueItems is true, which API servers reject.
   *
   * Fix: `+listType=set`, or `+listType=map` with `+listMapKey`.
   */
  readonly CRD_UNIQUE_ITEMS: never;
  /**
   * A printer column was removed (a warning).
   *
   * Fix: Keep `+kubebuilder:printcolumn`.
   */
  readonly COMPAT_COLUMN_REMOVED: never;
  /**
   * A kind of a generated group was removed, with all of its objects.
   *
   * Fix: Keep the kind, or relax the check once no objects are left.
   */
  readonly COMPAT_CRD_REMOVED: never;
  /**
   * A default changed or was removed (a warning).
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
   * A field was removed, so its values are pruned.
   *
   * Fix: Keep the field as long as a version with it is served; after a rename keep both names, or convert.
   */
  readonly COMPAT_FIELD_REMOVED: never;
  /**
   * The earlier version contains no CRD of version v1.
   *
   * Fix: Specify the folder with the CRDs, as in `compat=v1.2.0:config/crd/bases`.
   */
  readonly COMPAT_FORMER_EMPTY: never;
  /**
   * `crd:compat` refers neither to a folder or file nor to a commit that has the folder.
   *
   * Fix: Specify a folder or file with CRDs, or a commit, branch, or tag.
   */
  readonly COMPAT_FORMER_MISSING: never;
  /**
   * A file of the earlier version is not valid YAML.
   *
   * Fix: Fix the file, or compare with another version.
   */
  readonly COMPAT_FORMER_UNREADABLE: never;
  /**
   * A list has different keys, or became a set or map, so stored items may be duplicates.
   *
   * Fix: Keep the type and keys, or serve a new version.
   */
  readonly COMPAT_LIST_TYPE_CHANGED: never;
  /**
   * Server-side apply merges or replaces a list or object differently (a warning).
   *
   * Fix: Keep the type unless you want to change ownership.
   */
  readonly COMPAT_MERGE_CHANGED: never;
  /**
   * The kind, its list kind, or a resource name changed.
   *
   * Fix: Keep the names that clients, scripts, and owner references use.
   */
  readonly COMPAT_NAMES_CHANGED: never;
  /**
   * `crd:compat` specifies a commit, but this run writes no CRDs to a folder.
   *
   * Fix: Specify the folder, too: `compat=v1.2.0:config/crd/bases`.
   */
  readonly COMPAT_NO_FOLDER: never;
  /**
   * A field can no longer be null.
   *
   * Fix: Allow null again, or give the field a default.
   */
  readonly COMPAT_NULLABLE_REMOVED: never;
  /**
   * Unknown fields were preserved and are now pruned.
   *
   * Fix: Keep unknown fields, or declare every field of the objects.
   */
  readonly COMPAT_PRUNING: never;
  /**
   * A field is now required and has no default.
   *
   * Fix: Make the field optional, or give it a default.
   */
  readonly COMPAT_REQUIRED_ADDED: never;
  /**
   * A CEL rule is new or changed.
   *
   * Fix: Remove the rule, or serve a new version.
   */
  readonly COMPAT_RULE_ADDED: never;
  /**
   * The scope changed, which API servers reject.
   *
   * Fix: Keep the scope, or use another kind.
   */
  readonly COMPAT_SCOPE_CHANGED: never;
  /**
   * A field can no longer be used in field selectors.
   *
   * Fix: Keep `+kubebuilder:selectablefield`.
   */
  readonly COMPAT_SELECTABLE_REMOVED: never;
  /**
   * The new storage version lacks fields of the old one (a warning).
   *
   * Fix: Install a conversion webhook first.
   */
  readonly COMPAT_STORAGE_CHANGED: never;
  /**
   * The storage version was removed, which API servers reject.
   *
   * Fix: Keep it with `+kubebuilder:unservedversion` until all objects are migrated.
   */
  readonly COMPAT_STORAGE_REMOVED: never;
  /**
   * A version was removed that `status.storedVersions` of the CRD in a cluster contains, which API servers reject.
   *
   * Fix: Restore it with `+kubebuilder:unservedversion`, and migrate the objects.
   */
  readonly COMPAT_STORED_REMOVED: never;
  /**
   * Status can only be written through its subresource (a warning).
   *
   * Fix: Tell clients to write `/status`.
   */
  readonly COMPAT_SUBRESOURCE_ADDED: never;
  /**
   * The status or scale subresource was removed.
   *
   * Fix: Keep the marker of the subresource.
   */
  readonly COMPAT_SUBRESOURCE_REMOVED: never;
  /**
   * The type of a field changed.
   *
   * Fix: Add a new field beside it, or serve a new version with a conversion.
   */
  readonly COMPAT_TYPE_CHANGED: never;
  /**
   * A bound, length, pattern, format, or combination is stricter.
   *
   * Fix: Loosen it again, or serve a new version.
   */
  readonly COMPAT_VALIDATION_TIGHTENED: never;
  /**
   * A served version was removed.
   *
   * Fix: Serve the version until no client uses it.
   */
  readonly COMPAT_VERSION_REMOVED: never;
  /**
   * A served version is no longer served.
   *
   * Fix: Serve the version until no client uses it; `+kubebuilder:deprecatedversion` warns them.
   */
  readonly COMPAT_VERSION_UNSERVED: never;
  /**
   * A type or kind of the built-in API is missing in a version of Kubernetes that the project supports (a warning).
   *
   * Fix: Omit it, or select a newer version for the project with `scaffold edit --kubernetes`.
   */
  readonly KUBERNETES_LACKS_TYPE: never;
  /**
   * A field of a built-in type is missing in a version of Kubernetes that the project supports, whose API server drops it (a warning).
   *
   * Fix: Omit it, or select a newer version for the project with `scaffold edit --kubernetes`.
   */
  readonly KUBERNETES_LACKS_FIELD: never;
  /**
   * A resource in a marker is not served by a version of Kubernetes that the project supports (a warning).
   *
   * Fix: Omit it, or select a newer version for the project with `scaffold edit --kubernetes`.
   */
  readonly KUBERNETES_LACKS_RESOURCE: never;
  /**
   * A verb in a marker of permissions does not exist for the resource in a version of Kubernetes that the project supports (a warning).
   *
   * Fix: Omit it, or select a newer version for the project with `scaffold edit --kubernetes`.
   */
  readonly KUBERNETES_LACKS_VERB: never;
  /**
   * A format is not checked by a version of Kubernetes that the project supports (a warning).
   *
   * Fix: Use a pattern, or select a newer version for the project with `scaffold edit --kubernetes`.
   */
  readonly KUBERNETES_LACKS_FORMAT: never;
  /**
   * A name, path, or text in a CustomResourceDefinition is one that API servers reject; the diagnostic has file, line, and column.
   *
   * Fix: Fix the value.
   */
  readonly IMPORT_INVALID_NAME: never;
}

/** A code of a finding. */
export type DiagnosticCode = keyof DiagnosticCodes;
