/** Time as an argument. Only `main.ts` makes the real one; tests bring their own. */
export interface Clock {
  /** Wall-clock time: what people and vendors see. May jump. */
  now(): Date;
  /** Milliseconds that never go back, from an arbitrary start. It goes on while the process is frozen (SIGSTOP). */
  monotonicMs(): number;
}
