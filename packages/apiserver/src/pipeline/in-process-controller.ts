/** A controller that lives in the server, of the kind that kube-controller-manager runs. */
export interface InProcessController {
  readonly name: string;
  /** Begins to work; called once the server serves. */
  start(): void;
  /** Ends all work; called before the server closes, and before and after which `start` may come again (reset, restore). */
  stop(): Promise<void>;
  /** Settles once the controller has nothing left to do that does not wait for time to pass. */
  idle(): Promise<void>;
}
