/** A place that the search knows, as `/docs/search.json` lists it. */
export interface Place {
  readonly title: string;
  readonly url: string;
  /** Its endpoint, page or code. */
  readonly where: string;
  readonly text: string;
}

const RESULTS_MAX = 12;

/** Words of others for what is called otherwise here. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  funds: ["balance"],
  credit: ["balance", "top up"],
  schedule: ["send at", "later"],
  scheduled: ["send at", "later"],
  later: ["send at"],
  token: ["key", "token"],
  auth: ["key"],
  authentication: ["key"],
  authorization: ["key"],
  login: ["sign in"],
  callback: ["webhook"],
  callbacks: ["webhooks"],
  throttle: ["rate limit"],
  throttled: ["rate limited"],
  duplicate: ["idempotency"],
  sandbox: ["test mode"],
  whatsapp: ["chat"],
  topup: ["top up", "airtime"],
  insomnia: ["postman", "openapi"],
  swagger: ["openapi"],
  sdk: ["openapi", "clients"],
};

/** The places that have every word of the query, the best first; if none has, those that have most of them. */
export function find(places: readonly Place[], query: string): readonly Place[] {
  const wanted = { phrase: plain(query), names: query.toLowerCase().split(/\s+/).filter(Boolean) };
  if (wanted.phrase === "") return [];
  const ranked = places
    .map((place, order) => ({ place, order, ...rankOf(place, wanted) }))
    .filter(({ hits }) => hits > 0)
    .sort(
      (a, b) =>
        b.hits - a.hits || b.points - a.points || a.place.title.length - b.place.title.length || a.order - b.order,
    );
  const most = ranked[0]?.hits;
  return ranked
    .filter(({ hits }) => hits === most)
    .slice(0, RESULTS_MAX)
    .map(({ place }) => place);
}

interface Wanted {
  readonly phrase: string;
  /** The words as they were typed: one with an underscore may be a field's or a code's name. */
  readonly names: readonly string[];
}

/** How many words a place has, and how well. A word in the title counts most, and the beginning of one more than its middle. */
function rankOf(place: Place, { phrase, names }: Wanted): { hits: number; points: number } {
  const title = plain(place.title);
  const fields = [
    [title, 8],
    [plain(place.where), 4],
    [plain(place.text), 1],
  ] as const;
  const said = `${place.title} ${place.where} ${place.text}`.toLowerCase();
  const pointsOf = (word: string): number =>
    Math.max(...fields.map(([field, weight]) => (isBegun(field, word) ? 2 : field.includes(word) ? 1 : 0) * weight));
  let hits = 0;
  let points = title === phrase ? 16 : title.startsWith(phrase) ? 8 : 0;
  for (const name of names) {
    const words = plain(name).split(" ").filter(Boolean);
    const isName = name.includes("_") && said.includes(name);
    if (isName) [hits, points] = [hits + words.length, points + 40];
    for (const word of isName ? [] : words) {
      const best = Math.max(pointsOf(word), ...(SAME[word] ?? []).map((same) => pointsOf(same) * 0.8));
      if (best > 0) [hits, points] = [hits + 1, points + best];
    }
  }
  return { hits, points };
}

const isBegun = (field: string, word: string): boolean => ` ${field}`.includes(` ${word}`);

/** Letters and digits in small, each other character a space. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
