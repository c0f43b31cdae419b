import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { readRuntimeStage } from "../../src/image/read-dockerfile.ts";

const TEMPLATE = readFileSync(new URL("../../templates/init/Dockerfile.hbs", import.meta.url), "utf8");
const COPY = "COPY --from=builder /workspace/dist/manager.mjs /manager.mjs";

describe("readRuntimeStage", () => {
  it("reads the Dockerfile of generated projects", () => {
    const { base, managerPath, settings } = readRuntimeStage(TEMPLATE);
    expect(TEMPLATE).toContain(`FROM ${base} AS runtime\n`);
    expect(managerPath).toBe("/manager.mjs");
    expect(settings).toEqual({
      user: "65532:65532",
      workingDirectory: "/",
      entrypoint: [
        "/nodejs/bin/node",
        "--liftoff-only",
        "--max-semi-space-size=8",
        "--v8-pool-size=1",
        "--enable-source-maps",
        "/manager.mjs",
      ],
      environment: { NODE_ENV: "production" },
      labels: {},
      ports: [],
    });
  });

  it("reads everything that needs no container", () => {
    const text = [
      "ARG NODE=22",
      "ARG BASE=example.com/node:${NODE}",
      "FROM scratch AS builder",
      "RUN whatever",
      "# a comment",
      "FROM --platform=$BUILDPLATFORM ${BASE} AS final",
      "ARG PORT=8443",
      "WORKDIR /app",
      "WORKDIR sub",
      "COPY --link --from=builder /workspace/dist/manager.mjs ./",
      'ENV A=1 B="two words" \\',
      "    # still going on",
      "    F=${A}",
      "ENV C=${A}x D=${MISSING:-else} E=${A:+set}",
      "ENV OLD the old form",
      "LABEL one=1 'two'='2'",
      "EXPOSE $PORT 53/udp",
      "STOPSIGNAL SIGINT",
      'HEALTHCHECK --interval=1m30s --timeout=500ms --retries=3 CMD ["/nodejs/bin/node", "-v"]',
      "ENTRYPOINT node manager.mjs",
      'CMD ["--leader-elect"]',
    ].join("\n");
    expect(readRuntimeStage(text)).toEqual({
      base: "example.com/node:22",
      managerPath: "/app/sub/manager.mjs",
      settings: {
        workingDirectory: "/app/sub",
        environment: { A: "1", B: "two words", F: "", C: "1x", D: "else", E: "set", OLD: "the old form" },
        labels: { one: "1", two: "2" },
        ports: ["8443/tcp", "53/udp"],
        stopSignal: "SIGINT",
        healthcheck: { Test: ["CMD", "/nodejs/bin/node", "-v"], Interval: 90e9, Timeout: 500e6, Retries: 3 },
        entrypoint: ["/bin/sh", "-c", "node manager.mjs"],
        command: ["--leader-elect"],
      },
    });
  });

  it.each(["ARG", "ENV"])("limits variables of %s that contain each other twice", (name) => {
    const doublings = Array.from(
      { length: 30 },
      (_, index) => `${name} A${String(index + 1)}=$A${String(index)}$A${String(index)}`,
    );
    const text = ["FROM node AS final", `${name} A0=0123456789`, ...doublings, COPY].join("\n");
    expect(() => readRuntimeStage(text)).toThrow("line 16: its variables exceed 131072 characters, the limit of Linux");
  });

  it.each([
    ["a stage that only names an image", "FROM example.com/node:22 AS runtime\nFROM ${BASE}"],
    ["such a stage of such a stage", "FROM example.com/node:22 AS first\nFROM first AS runtime\nFROM ${BASE}"],
    ["such a stage in upper case", "FROM example.com/node:22 AS Runtime\nFROM ${BASE}"],
  ])("finds the base behind %s", (_, stages) => {
    expect(readRuntimeStage(`ARG BASE=runtime\n${stages}\n${COPY}\n`).base).toBe("example.com/node:22");
  });

  it.each([
    ["RUN apt-get install -y git", "line 3: its last stage has RUN"],
    ["ADD file.tar /", "line 3: its last stage has ADD"],
    ["COPY config /config", "line 3: its last stage copies more than dist/manager.mjs"],
    ["COPY --chown=1:1 --from=builder /workspace/dist/manager.mjs /", "copies with --chown=1:1"],
    ["ENV A", "is not of the form name=value"],
    ["HEALTHCHECK --interval=soon CMD x", "is not supported"],
  ])("names the line of %s, which it cannot do", (line, message) => {
    expect(() => readRuntimeStage(`FROM base\n${COPY}\n${line}\n`)).toThrow(
      expect.objectContaining({ code: "IMAGE_DOCKERFILE", message: expect.stringContaining(message) }),
    );
  });

  it.each([
    ["", "no FROM"],
    ["FROM base\nUSER 1\n", "does not copy dist/manager.mjs"],
    [`FROM x AS builder\nRUN y\nFROM builder\n${COPY}\n`, "is based on the stage builder"],
    [`FROM one AS two\nFROM two AS one\nUSER 1\nFROM one\n${COPY}\n`, "is based on the stage one"],
    [`ARG EMPTY\nFROM $EMPTY\n${COPY}\n`, "has no image"],
  ])("refuses %j", (text, message) => {
    expect(() => readRuntimeStage(text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });
});
