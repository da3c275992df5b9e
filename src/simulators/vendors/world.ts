import { Field } from "./field.ts";
import { type Product, soldHere } from "./products.ts";
import { AFTER_MS, type Scenario, type ScenarioName, scenarioOf, type VendState } from "./scenarios.ts";
import type { IssuedToken, Vend, VendorStore } from "./store.repo.ts";

/** The scenario that a call meets. */
export interface Chosen {
  readonly name: ScenarioName;
  readonly scenario: Scenario;
  /** One wait of the scenario's stages. */
  readonly afterMs: number;
}

/** A call back to make: when, and which state it tells of. */
export interface CallbackPlan {
  readonly at: number;
  readonly state: VendState;
}

/** How far apart what belongs together comes, and how late what is late. */
const APART_MS = 300;
const LATE_MS = 4_000;

/** What one vendor sees of the store that all share. Used within one transaction. */
export class VendorWorld {
  readonly vendor: string;
  readonly field: Field;
  /** ms since 1970; stands still during a call. */
  readonly now: number;
  readonly #store: VendorStore;
  readonly #settings: Readonly<Record<string, unknown>>;

  constructor(vendor: string, settings: Readonly<Record<string, unknown>>, store: VendorStore, now: number) {
    this.vendor = vendor;
    this.now = now;
    this.field = new Field(store, () => now);
    this.#settings = settings;
    this.#store = store;
  }

  /** A queued scenario comes before the recipient's own. `recipient`: as in `Vend`. */
  choose(call: Scenario["on"], product: Product, recipient: string): Chosen {
    const queued = this.queued(call, recipient);
    if (queued) return queued;
    const name = (call === "vend" ? this.#magic(product, recipient) : undefined) ?? "success";
    const scenario = scenarioOf(name);
    return { name, scenario, afterMs: scenario.afterMs ?? AFTER_MS };
  }

  /** The scenario that is queued for such a call, if any: for vendors whose magic numbers are their own. */
  queued(call: Scenario["on"], recipient: string): Chosen | undefined {
    const queued = this.#store.takeScenario(this.vendor, call, recipient);
    if (!queued) return undefined;
    const scenario = scenarioOf(queued.scenario);
    return { name: queued.scenario, scenario, afterMs: queued.afterMs ?? scenario.afterMs ?? AFTER_MS };
  }

  #magic(product: Product, recipient: string): ScenarioName | undefined {
    const { scenario, times } = soldHere(product).magic(recipient) ?? {};
    if (times === undefined) return scenario;
    const met = Number(this.recall(`met:${recipient}`) ?? 0);
    this.keep(`met:${recipient}`, met < times ? met + 1 : 0);
    return met < times ? scenario : undefined;
  }

  /**
   * Takes a vend: all its stages are known from now on. Twice when the scenario says so. Undefined: the scenario has it never
   * taken.
   */
  take(
    { name, scenario, afterMs }: Chosen,
    what: {
      readonly reference: string;
      readonly recipient: string;
      readonly product: Product;
      readonly amountKobo: bigint;
      readonly plan?: string;
      readonly details?: Vend["details"];
    },
  ): Vend | undefined {
    if (scenario.stages.length === 0) return undefined;
    const stages = scenario.stages.map(([state, waits]) => ({ state, at: this.now + waits * afterMs }));
    const { plan = null, details = {} } = what;
    const row = { ...what, plan, details, vendor: this.vendor, madeAt: this.now, scenario: name, stages };
    const id = this.#store.addVend(row);
    if (scenario.twice) this.#store.addVend(row);
    return { ...row, id };
  }

  /** The first that was taken under the reference. */
  find(reference: string): Vend | undefined {
    return this.#store.vendsOfReference(this.vendor, reference)[0];
  }

  findAll(reference: string): Vend[] {
    return this.#store.vendsOfReference(this.vendor, reference);
  }

  /** This vendor's vends to a recipient that were taken in the last `withinMs`. */
  recent(recipient: string, withinMs: number): Vend[] {
    return this.#store.vendsOfRecipient(recipient, this.now - withinMs).filter(({ vendor }) => vendor === this.vendor);
  }

  /** The tokens that the vendor tells of by then, in the order of entering. */
  tokensOf(vend: Vend, at = this.now): IssuedToken[] {
    return this.#store.tokensOfVend(vend.id).filter((token) => token.at <= at);
  }

  setDetails(vend: Vend, details: Vend["details"]): Vend {
    this.#store.setDetails(vend.id, details);
    return { ...vend, details };
  }

  stateOf(vend: Vend, at = this.now): VendState {
    return vend.stages.findLast((stage) => stage.at <= at)?.state ?? "pending";
  }

  /** The first that was taken under the reference and that a question finds. */
  recallVend(reference: string): Vend | undefined {
    return this.recallVends(reference)[0];
  }

  recallVends(reference: string): Vend[] {
    return this.findAll(reference).filter((vend) => !scenarioOf(vend.scenario).forgets);
  }

  /** Whether this requery is one that fails. Counts it. */
  requeryFails(vend: Vend): boolean {
    const failed = Number(this.recall(`requery-failed:${vend.id}`) ?? 0);
    if (failed >= (scenarioOf(vend.scenario).requeriesFail ?? 0)) return false;
    this.keep(`requery-failed:${vend.id}`, failed + 1);
    return true;
  }

  /** The calls back that the vend's stages bring about, as its scenario distorts them. */
  callbacksOf(vend: Vend): CallbackPlan[] {
    const later: CallbackPlan[] = vend.stages.slice(1);
    const [first] = later;
    if (!first) return [];
    const { callbacks } = scenarioOf(vend.scenario);
    switch (callbacks) {
      case "missing":
        return [];
      case "late":
        return later.map(({ at, state }) => ({ at: at + LATE_MS, state }));
      case "twice":
        return later.flatMap((one) => [one, one]);
      case "replayed":
        return later.flatMap((one) => [one, { ...one, at: one.at + LATE_MS }]);
      case "out_of_order":
        return [...later, { at: later.at(-1)!.at + APART_MS, state: "pending" }];
      case "forged":
        // Before anything has become of it, and the opposite of the truth.
        return [{ at: this.now + APART_MS, state: first.state === "failed" ? "delivered" : "failed" }, ...later];
      default:
        return later;
    }
  }

  /** A text is sent as it is, all else as JSON. */
  callBack(at: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.#store.oweCallback(this.vendor, at, typeof body === "string" ? body : JSON.stringify(body), headers);
  }

  /** A setting of this vendor, as it was steered or as the vendor itself changed it. */
  setting(name: string): unknown {
    return this.#store.kept(this.vendor, `setting:${name}`) ?? this.#settings[name];
  }

  set(name: string, value: unknown): void {
    this.#store.keep(this.vendor, `setting:${name}`, value);
  }

  recall(key: string): unknown {
    return this.#store.kept(this.vendor, key);
  }

  keep(key: string, value: unknown): void {
    this.#store.keep(this.vendor, key, value);
  }

  recallUnder(prefix: string): unknown[] {
    return this.#store.keptUnder(this.vendor, prefix);
  }

  file(key: string): Uint8Array | undefined {
    return this.#store.file(this.vendor, key);
  }

  /** Null deletes it. */
  keepFile(key: string, bytes: Uint8Array | null): void {
    this.#store.keepFile(this.vendor, key, bytes);
  }
}
