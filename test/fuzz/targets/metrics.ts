import { readSnapshot } from "../../../packages/dashboard/src/server/cluster/metrics-snapshot.ts";
import { type MetricSample, parseMetrics } from "../../../packages/dashboard/src/server/cluster/metrics-text.ts";
import { type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** Metrics of a Pod: what is parsed is the same when it is printed and parsed again; a malformed line is one of the text. */
export const target: FuzzTarget = {
  name: "metrics",
  kind: "text",
  seeds: [
    '# TYPE a counter\na{b="c",d="e\\"f\\\\g\\n"} 1 1395066363000\n',
    "up 1\ndown -Inf\nnone NaN\nhuge 1.5e+300\n",
    'controller_runtime_reconcile_total{controller="web",result="success"} 3\n',
    'controller_runtime_reconcile_time_seconds_bucket{controller="web",le="+Inf"} 3\n',
    'leader_election_master_status{name="x.demo"} 1\nworkqueue_depth{controller="web",priority="-100"} 2\n',
    'controller_runtime_webhook_requests_total{webhook="/validate",code="500"} 1\n',
  ],
  dictionary: [
    "{",
    "}",
    '="',
    '",',
    "\\n",
    "\\\\",
    '\\"',
    "+Inf",
    "NaN",
    "1e9",
    "# ",
    "\n",
    "le=",
    "__proto__",
    "_bucket",
  ],
  run: (text) => {
    const parsed = parseMetrics(text);
    if (parsed.kind === "malformed") {
      requireThat(parsed.line >= 1 && parsed.line <= text.split("\n").length, "the malformed line is not in the text");
      return;
    }
    requireThat(parsed.kind === "metrics", "a short text is too large");
    if (parsed.kind !== "metrics") return;
    const again = parseMetrics(parsed.samples.map(printed).join("\n"));
    requireThat(
      again.kind === "metrics" && again.samples.map(printed).join("\n") === parsed.samples.map(printed).join("\n"),
      "it changed",
    );
    readSnapshot(parsed.samples, 0);
  },
};

function printed({ name, labels, value }: MetricSample): string {
  const escaped = (text: string): string =>
    text
      .replaceAll("\\", "\\\\")
      .replaceAll('"', String.raw`\"`)
      .replaceAll("\n", String.raw`\n`);
  return `${name}{${[...labels].map(([key, text]) => `${key}="${escaped(text)}"`).join(",")}} ${String(value)}`;
}
