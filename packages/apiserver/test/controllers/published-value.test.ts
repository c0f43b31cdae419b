import { expect, it } from "vitest";

import { PublishedValue } from "../../src/controllers/published-value.ts";

it("a published value is unknown at first, and listeners are called at each publication until they leave", () => {
  const value = new PublishedValue<number>();
  const seen: (number | undefined)[] = [];
  const leave = value.onPublish(() => seen.push(value.current));
  expect(value.current).toBeUndefined();
  value.publish(1);
  value.publish(2);
  leave();
  value.publish(3);
  expect([seen, value.current]).toEqual([[1, 2], 3]);
});
