import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { firstOverlaps } from "../../../../../src/resources/built-in/rules/warnings/overlapping-paths.ts";
import { podWarnings } from "../../../../../src/resources/built-in/rules/warnings/pod-warnings.ts";

const COUNT = 3000;

/** Compares each path with each one before. */
function allOverlaps(paths: readonly string[]): readonly (readonly [string, string])[] {
  const trimmed = paths.map((path) => path.replace(/\/+$/u, ""));
  return trimmed.flatMap((path, index) =>
    trimmed
      .slice(0, index)
      .filter((other) => path !== "" && other !== "")
      .filter((other) => `${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`))
      .map((other): readonly [string, string] => [path, other]),
  );
}

interface Port {
  readonly containerPort: number;
  readonly hostPort: number;
  readonly hostIP: string;
}

/** Compares each port with each one before. */
function allConflicts(ports: readonly Port[]): readonly string[] {
  return ports.flatMap((port, index) =>
    ports.slice(0, index).flatMap((other, at) => {
      const conflict = conflictOf(port, other);
      const place = (position: number): string => `spec.containers[0].ports[${String(position)}]`;
      return conflict === undefined ? [] : [`${place(index)}: ${conflict} port definition with ${place(at)}`];
    }),
  );
}

function conflictOf(port: Port, other: Port): string | undefined {
  if (port.containerPort !== other.containerPort) return undefined;
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return "duplicate";
  if (port.hostPort === 0 || other.hostPort === 0) return "overlapping";
  const isOneOpen = (port.hostIP === "") !== (other.hostIP === "");
  return port.hostPort === other.hostPort && isOneOpen ? "dangerously ambiguous" : undefined;
}

function podWith(spec: object): Parameters<typeof podWarnings>[0] {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
}

const portsOf = (ports: readonly Port[]): object => ({
  containers: [{ name: "c", image: "x", ports: ports.map((port) => ({ protocol: "TCP", ...port })) }],
});

describe("the warnings about the paths of a volume", () => {
  it("name the pairs that a comparison of all of them finds", () => {
    const path = fc.array(fc.constantFrom("a", "b", ""), { maxLength: 4 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
        const found = firstOverlaps(
          paths.map((each) => ({ path: each, source: "" })),
          1000,
        ).map(([one, other]): readonly [string, string] => [one.path, other.path]);
        expect(found).toEqual(allOverlaps(paths));
      }),
    );
  });

  it("are limited, since pairs are the square of paths", () => {
    const items = Array.from({ length: COUNT }, (_, index) => ({ key: "k", path: `a${"/a".repeat(index % 2)}` }));
    const volumes = ["v", "w"].map((name) => ({ name, configMap: { name: "m", items } }));
    expect(podWarnings(podWith({ containers: [], volumes }))).toHaveLength(1000);
  });
});

describe("the warnings about the ports of a Pod", () => {
  it("name the pairs that a comparison of all of them finds", () => {
    const port = fc.record({
      containerPort: fc.constantFrom(1, 2),
      hostPort: fc.constantFrom(0, 1, 2),
      hostIP: fc.constantFrom("", "1.1.1.1", "2.2.2.2"),
    });
    fc.assert(
      fc.property(fc.array(port, { maxLength: 12 }), (ports) => {
        const warnings = podWarnings(podWith(portsOf(ports))).filter((text) => text.includes(" port definition with "));
        expect(warnings).toEqual(allConflicts(ports));
      }),
    );
  });

  it("are limited, since pairs are the square of ports", () => {
    const ports = Array.from({ length: COUNT }, () => ({ containerPort: 1, hostPort: 0, hostIP: "" }));
    expect(podWarnings(podWith(portsOf(ports)))).toHaveLength(1000);
  });
});
