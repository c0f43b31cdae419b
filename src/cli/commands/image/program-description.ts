import type { ProjectConfig } from "../../../project/project-config.ts";

/** What an image says of the program in it. */
export interface ProgramDescription {
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** Describes the manager of a project by what its `package.json` says. */
export function describeProgram(project: ProjectConfig, manifest: string | undefined): ProgramDescription {
  const facts = parse(manifest);
  const name = project.projectName ?? textOf(facts["name"]) ?? "manager";
  const version = textOf(facts["version"]) ?? "";
  const license = textOf(facts["license"]);
  const labels = {
    title: name,
    version,
    description: textOf(facts["description"]),
    licenses: license,
    source: textOf(facts["repository"]) ?? textOf(recordOf(facts["repository"])["url"]),
    url: textOf(facts["homepage"]),
  };
  const given = Object.entries(labels).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [[`org.opencontainers.image.${key}`, value] as const],
  );
  return { name, version, license, labels: Object.fromEntries(given) };
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
