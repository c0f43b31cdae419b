import { createContext, type JSX } from "preact";
import { useContext, useEffect, useId, useState } from "preact/hooks";

import { pathKey } from "./field-problems.ts";
import {
  constraintsOf,
  fieldKindOf,
  initialValue,
  parseInput,
  plainSchema,
  type FieldKind,
  type FieldPath,
  type FormSchema,
} from "./form-schema.ts";
import { parseValue, valueText } from "./yaml-document.ts";

/** What fields do, and what is wrong with them. */
export interface FormContextValue {
  readonly set: (path: FieldPath, value: unknown) => void;
  readonly remove: (path: FieldPath) => void;
  readonly problems: ReadonlyMap<string, readonly string[]>;
}

/** The form that a field belongs to. */
export const FormContext = createContext<FormContextValue>({
  set: () => undefined,
  remove: () => undefined,
  problems: new Map(),
});

interface FieldProps {
  readonly name: string;
  readonly schema: FormSchema;
  readonly path: FieldPath;
  readonly value: unknown;
  readonly isRequired: boolean;
  /** Whether a parent removes it, as items of lists. */
  readonly hasRemove?: boolean;
}

/** A field of any kind with its label, description, and problems. */
function FormField(props: FieldProps): JSX.Element {
  const schema = plainSchema(props.schema);
  const kind = fieldKindOf(schema);
  const isGroup = kind === "object" || kind === "map" || kind === "array";
  return isGroup ? (
    <GroupField {...props} schema={schema} kind={kind} />
  ) : (
    <ScalarField {...props} schema={schema} kind={kind} />
  );
}

/** The fields of an object, required ones first. */
export function ObjectFields({
  schema,
  path,
  value,
}: {
  readonly schema: FormSchema;
  readonly path: FieldPath;
  readonly value: unknown;
}): JSX.Element {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ];
  const record = asRecord(value);
  return (
    <>
      {ordered.map((name) => (
        <FormField
          key={name}
          name={name}
          schema={properties[name] ?? {}}
          path={[...path, name]}
          value={record[name]}
          isRequired={required.includes(name)}
        />
      ))}
    </>
  );
}

type KindProps = FieldProps & { readonly kind: FieldKind };

function GroupField({ name, schema, path, value, isRequired, kind, hasRemove = false }: KindProps): JSX.Element {
  const { set, remove } = useContext(FormContext);
  const isSet = value !== undefined && value !== null;
  const isTop = path.length === 1;
  return (
    <fieldset class={isTop ? "group is-top" : "group"} id={`field-${pathKey(path)}`}>
      <legend>
        <span class="field-name">{name}</span>
        {isRequired ? <span class="required">required</span> : null}
        <span class="field-type">{constraintsOf(schema)}</span>
        {isSet || isTop ? null : (
          <button type="button" class="button small" onClick={() => set(path, initialValue(schema))}>
            Add <span class="hidden">{name}</span>
          </button>
        )}
        {(isSet && !isRequired && !isTop) || hasRemove ? (
          <button type="button" class="button small quiet" onClick={() => remove(path)}>
            Remove <span class="hidden">{name}</span>
          </button>
        ) : null}
      </legend>
      <Description schema={schema} />
      <Problems path={path} />
      {isSet || isTop ? (
        <div class="group-body">
          {kind === "object" ? <ObjectFields schema={schema} path={path} value={value} /> : null}
          {kind === "array" ? <Items name={name} schema={schema} path={path} value={value} /> : null}
          {kind === "map" ? <Entries name={name} schema={schema} path={path} value={value} /> : null}
        </div>
      ) : null}
    </fieldset>
  );
}

type ContentProps = Pick<FieldProps, "name" | "schema" | "path" | "value">;

function Items({ name, schema, path, value }: ContentProps): JSX.Element {
  const { set } = useContext(FormContext);
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const itemSchema = plainSchema(schema.items ?? {});
  return (
    <>
      {items.map((item, index) => (
        <FormField
          key={index}
          name={`${name}[${String(index)}]`}
          schema={itemSchema}
          path={[...path, index]}
          value={item}
          isRequired={false}
          hasRemove
        />
      ))}
      <button type="button" class="button small" onClick={() => set([...path, items.length], initialValue(itemSchema))}>
        Add item <span class="hidden">to {name}</span>
      </button>
    </>
  );
}

function Entries({ name, schema, path, value }: ContentProps): JSX.Element {
  const { set } = useContext(FormContext);
  const [key, setKey] = useState("");
  const valueSchema = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  const record = asRecord(value);
  const add = (): void => {
    if (key === "" || key in record) return;
    set([...path, key], initialValue(plainSchema(valueSchema)));
    setKey("");
  };
  return (
    <>
      {Object.entries(record).map(([each, entry]) => (
        <FormField
          key={each}
          name={each}
          schema={valueSchema}
          path={[...path, each]}
          value={entry}
          isRequired={false}
          hasRemove
        />
      ))}
      <div class="map-add">
        <input
          class="input"
          aria-label={`New key of ${name}`}
          placeholder="New key"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") add();
          }}
        />
        <button type="button" class="button small" disabled={key === ""} onClick={add}>
          Add entry <span class="hidden">to {name}</span>
        </button>
      </div>
    </>
  );
}

function ScalarField({ name, schema, path, value, isRequired, kind, hasRemove = false }: KindProps): JSX.Element {
  const { remove, problems } = useContext(FormContext);
  const id = useId();
  const isInvalid = problems.has(pathKey(path));
  return (
    <div class={isInvalid ? "field is-invalid" : "field"} id={`field-${pathKey(path)}`}>
      <label for={id}>
        <span class="field-name">{name}</span>
        {isRequired ? <span class="required">required</span> : null}
        <span class="field-type">{constraintsOf(schema)}</span>
      </label>
      <div class="field-input">
        <Input id={id} schema={schema} path={path} value={value} kind={kind} isInvalid={isInvalid} />
        {value !== undefined && (!isRequired || hasRemove) ? (
          <button type="button" class="button small quiet" onClick={() => remove(path)}>
            {hasRemove ? "Remove" : "Clear"} <span class="hidden">{name}</span>
          </button>
        ) : null}
      </div>
      <div id={`${id}-text`}>
        <Description schema={schema} />
        <Problems path={path} />
      </div>
    </div>
  );
}

interface InputProps {
  readonly id: string;
  readonly schema: FormSchema;
  readonly path: FieldPath;
  readonly value: unknown;
  readonly kind: FieldKind;
  readonly isInvalid: boolean;
}

function Input(props: InputProps): JSX.Element {
  const { id, schema, path, value, kind, isInvalid } = props;
  const { set, remove } = useContext(FormContext);
  const shared = { id, class: "input", "aria-describedby": `${id}-text`, "aria-invalid": isInvalid };
  const fallback = schema.default === undefined ? "" : `default: ${JSON.stringify(schema.default)}`;
  const send = (text: string): void => {
    if (text === "" && kind !== "string") remove(path);
    else set(path, parseInput(kind, text));
  };
  if (kind === "yaml") return <YamlInput {...props} />;
  if (kind === "enum" || kind === "boolean") {
    const options = kind === "boolean" ? [true, false] : (schema.enum ?? []);
    return (
      <select
        {...shared}
        value={value === undefined ? "" : JSON.stringify(value)}
        onChange={(event) => {
          const { value: chosen } = event.currentTarget;
          if (chosen === "") remove(path);
          else set(path, JSON.parse(chosen));
        }}
      >
        <option value="">{fallback === "" ? "not set" : fallback}</option>
        {options.map((option) => (
          <option key={String(option)} value={JSON.stringify(option)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...shared}
      type="text"
      inputMode={kind === "integer" ? "numeric" : kind === "number" ? "decimal" : "text"}
      autocomplete="off"
      spellcheck={false}
      placeholder={fallback}
      value={scalarText(value)}
      onInput={(event) => send(event.currentTarget.value)}
    />
  );
}

function scalarText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

// The text is that of the person as long as it means the value.
function YamlInput({ id, path, value, isInvalid }: InputProps): JSX.Element {
  const { set, remove } = useContext(FormContext);
  const [text, setText] = useState(valueText(value));
  const [failure, setFailure] = useState("");
  const printed = valueText(value);
  useEffect(() => {
    const parsed = parseValue(text);
    if (!("value" in parsed) || valueText(parsed.value) === printed) return;
    setText(printed);
    setFailure("");
  }, [printed]);
  return (
    <div class="yaml-input">
      <textarea
        id={id}
        class="input code-input"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        spellcheck={false}
        aria-describedby={`${id}-text`}
        aria-invalid={isInvalid || failure !== ""}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          const parsed = parseValue(next);
          setFailure("message" in parsed ? parsed.message : "");
          if ("message" in parsed) return;
          if (next.trim() === "") remove(path);
          else set(path, parsed.value);
        }}
      />
      {failure === "" ? null : <p class="problem">{failure}</p>}
    </div>
  );
}

function Description({ schema }: { readonly schema: FormSchema }): JSX.Element | null {
  const { description = "" } = schema;
  return description === "" ? null : <p class="description">{description}</p>;
}

function Problems({ path }: { readonly path: FieldPath }): JSX.Element | null {
  const { problems } = useContext(FormContext);
  const own = problems.get(pathKey(path)) ?? [];
  if (own.length === 0) return null;
  return (
    <ul class="problems">
      {own.map((message) => (
        <li key={message} class="problem">
          {message}
        </li>
      ))}
    </ul>
  );
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
