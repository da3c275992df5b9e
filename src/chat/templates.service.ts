import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { nearest } from "../kernel/spelling.ts";
import type { VendorTemplate } from "../ports/chat-payload.ts";
import { findTemplates, listTemplates, storeTemplates, templateListTimes } from "./templates.repo.ts";

/** A provider whose account has templates. */
export interface TemplateSource {
  readonly provider: string;
  /** The whole list, or undefined when it can't be learned now. */
  templates(): Promise<readonly VendorTemplate[] | undefined>;
}

/** Our copy of the templates: asked for at start, every hour, and when one is named that we do not know. */
export interface Templates {
  /** Fetches the lists that are due; a job of every node, whichever is first does it. */
  refreshDue(): Promise<void>;
  /** The template as approved, or what keeps it from being sent. */
  find(provider: string, name: string, language: string): Promise<Result<VendorTemplate, Fault>>;
  /** `asOf`: of the oldest list; null without any. */
  list(
    providers: readonly string[],
  ): Promise<{ readonly templates: readonly VendorTemplate[]; readonly asOf: Date | null }>;
}

export interface TemplatesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sources: readonly TemplateSource[];
}

/** Between two fetches for templates that were named and not known: anybody may name any. */
const ON_DEMAND_MS = 60_000;

export function makeTemplates({ db, clock, log, sources }: TemplatesOptions): Templates {
  const underWay = new Map<string, Promise<void>>();
  /** When a fetch last came to nothing, by provider and the monotonic clock. */
  const failedAtMs = new Map<string, number>();
  let started = false;

  const fetchList = async ({ provider, templates }: TemplateSource): Promise<void> => {
    const at = clock.now();
    try {
      const listed = await templates();
      failedAtMs.delete(provider);
      if (listed) return await storeTemplates(db, provider, at, listed);
      failedAtMs.set(provider, clock.monotonicMs());
      log.warn({ provider }, "the chat templates could not be fetched; the last ones are kept");
    } catch (error) {
      log.warn({ provider, error: (error as Error).message }, "the chat templates were not stored");
    }
  };

  /** Whoever asks meanwhile waits for the same answer. */
  const refresh = (source: TemplateSource): Promise<void> => {
    const running = underWay.get(source.provider) ?? fetchList(source).finally(() => underWay.delete(source.provider));
    underWay.set(source.provider, running);
    return running;
  };

  const ageOf = async (provider: string): Promise<number> => {
    const fetchedAt = (await templateListTimes(db, [provider])).get(provider);
    return fetchedAt ? clock.now().getTime() - fetchedAt.getTime() : Number.POSITIVE_INFINITY;
  };

  return {
    async refreshDue() {
      for (const source of sources) if (!started || (await ageOf(source.provider)) >= HOUR_MS) void refresh(source);
      started = true;
    },

    async find(provider, name, language) {
      const look = async () => {
        const found = await findTemplates(db, provider, name);
        const others = found.length > 0 ? [] : (await listTemplates(db, [provider])).map((one) => one.name);
        return choose(found, name, language, others);
      };
      const known = await look();
      const source = sources.find((candidate) => candidate.provider === provider);
      // It may have been made, or approved, since we last asked.
      const failedMs = clock.monotonicMs() - (failedAtMs.get(provider) ?? Number.NEGATIVE_INFINITY);
      if (known.ok || !source) return known;
      const ageMs = await ageOf(provider);
      if (failedMs < ON_DEMAND_MS && ageMs === Number.POSITIVE_INFINITY) return refuse(NEVER_LISTED);
      if (failedMs < ON_DEMAND_MS || ageMs < ON_DEMAND_MS) return known;
      await refresh(source);
      const found = await look();
      return found.ok || (await ageOf(provider)) < Number.POSITIVE_INFINITY ? found : refuse(NEVER_LISTED);
    },

    async list(providers) {
      const [times, templates] = await Promise.all([templateListTimes(db, providers), listTemplates(db, providers)]);
      const oldest = Math.min(...[...times.values()].map((at) => at.getTime()));
      return { templates, asOf: times.size === 0 ? null : new Date(oldest) };
    },
  };
}

function choose(
  found: readonly VendorTemplate[],
  name: string,
  language: string,
  others: readonly string[],
): Result<VendorTemplate, Fault> {
  const template = found.find((candidate) => candidate.language === language);
  if (template?.status === "approved") return ok(template);
  if (template)
    return refuse(
      notFound("/template", `"${name}" (${language}) is ${template.status}; only an approved template can be sent.`),
    );
  const languages = found.map((candidate) => candidate.language).join(", ");
  return refuse(
    languages === ""
      ? notFound("/template", `There is no template "${name}". ${meant(name, others)}`)
      : notFound("/language", `"${name}" is not there in "${language}"; it is in: ${languages}.`),
  );
}

function meant(name: string, others: readonly string[]): string {
  const near = nearest(name, [...new Set(others)]).map((other) => `"${other}"`);
  return near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "GET /chat/templates lists those that there are.";
}

const NEVER_LISTED: Fault = {
  pointer: "/template",
  code: "provider_unavailable",
  detail:
    "The vendor's templates could not be fetched yet, so none can be checked. Nothing was accepted; try again in a minute.",
};

const notFound = (pointer: string, detail: string): Fault => ({ pointer, code: "template_not_found", detail });
