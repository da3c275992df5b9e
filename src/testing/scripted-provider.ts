import type { Outcome, Provider, ProviderReport, ProviderSink, ProviderTask } from "../ports/provider.ts";

/** What came over the wire, had there been one. */
export interface Sent {
  readonly orderId: string;
  readonly attempt: number;
  readonly piece: number;
}

type Answer = (task: ProviderTask, piece: number) => Outcome | Promise<Outcome>;

/** A vendor that a test steers: what it answers, whether it is there, and what it reports. Remembers all that it was sent. */
export class ScriptedProvider implements Provider {
  readonly name: string;
  readonly answerWithinMs = 1_000;
  readonly sent: Sent[] = [];
  readonly asked: Sent[] = [];
  /** Wire requests a task takes. */
  pieces = 1;
  /** A vendor that is asked by a reference of ours. */
  makeReference?: NonNullable<Provider["makeReference"]>;
  #sink: ProviderSink | undefined;
  #isReady = true;
  #answer: Answer = (task, piece) => this.accept(task, piece);
  #requery: Answer = () => ({ kind: "unknown", detail: "not asked to know" });

  constructor(name: string) {
    this.name = name;
  }

  /** Every later request is answered so. */
  answers(answer: Answer): void {
    this.#answer = answer;
  }

  /** The next requests are answered so, one each, and those after them are accepted. */
  answersOnce(...outcomes: readonly Outcome[]): void {
    const left = [...outcomes];
    this.#answer = (task, piece) => left.shift() ?? this.accept(task, piece);
  }

  requeried(answer: Answer): void {
    this.#requery = answer;
  }

  /** The answer of a vendor that takes everything; its reference is a function of what it took. */
  accept(task: Pick<ProviderTask, "orderId" | "attempt">, piece: number): Outcome {
    return { kind: "accepted", providerReference: this.referenceOf(task, piece) };
  }

  referenceOf(task: Pick<ProviderTask, "orderId" | "attempt">, piece: number): string {
    return `${this.name}/${task.orderId}/${task.attempt}/${piece}`;
  }

  setReady(isReady: boolean): void {
    this.#isReady = isReady;
    this.#sink?.readinessChanged();
  }

  /** Resolves when the vendor may be told that its report is safe. */
  report(report: Omit<ProviderReport, "at">): Promise<void> {
    if (!this.#sink) throw new Error(`${this.name} was not started`);
    return this.#sink.report({ at: new Date(), ...report });
  }

  /** A callback that nobody has signed, or one that is signed. */
  hint(reference: string, isSigned = false): Promise<void> {
    if (!this.#sink) throw new Error(`${this.name} was not started`);
    return this.#sink.hint(reference, isSigned);
  }

  async start(sink: ProviderSink): Promise<void> {
    this.#sink = sink;
  }

  async stop(): Promise<void> {}

  ready(): boolean {
    return this.#isReady;
  }

  pieceCount(): number {
    return this.pieces;
  }

  async send(task: ProviderTask, piece: number): Promise<Outcome> {
    if (!task.mayStillSend()) return { kind: "throttled", retryAfterMs: 0, detail: "the lease ran out" };
    this.sent.push({ orderId: task.orderId, attempt: task.attempt, piece });
    return this.#answer(task, piece);
  }

  async requery(task: ProviderTask): Promise<Outcome> {
    this.asked.push({ orderId: task.orderId, attempt: task.attempt, piece: 0 });
    return this.#requery(task, 0);
  }
}
