/** Time, and waiting for it: the clock that is injected everywhere, cancellation, and turns of the event loop. */
export { type Abortable, Cancellation, onAbort, abortSignalOf, untilAborted, whenAborted } from "./abort.ts";
export { type Clock, LONGEST_TIMER_MS, realClock, sleep, type Timer } from "./clock.ts";
export { afterTurn, nextTurn, shortPause } from "./event-loop.ts";
export { FakeClock, patientClock, settle } from "./fake-clock.ts";
export { IdleTimer } from "./idle-timer.ts";
export { eachInTurns, OwnTurns, TurnShare } from "./turn-share.ts";
