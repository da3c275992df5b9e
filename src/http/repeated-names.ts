import { CLOSE_LIST, CLOSE_OBJECT, endOfString, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-size.ts";

/**
 * The first name that an object of the text has twice, or undefined. `JSON.parse` would silently keep the last value,
 * and another reader on the way the first: of two amounts nobody could say which was meant (RFC 8259 section 4 calls
 * such objects unpredictable).
 * Shape: text that `JSON.parse` has accepted. Time grows with its length only.
 */
export function repeatedName(text: string): string | undefined {
  const outer: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined; // of the innermost object; undefined in a list
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        outer.push(names);
        names = new Set();
        break;
      case OPEN_LIST:
        outer.push(names);
        names = undefined;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        names = outer.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (names !== undefined && isName(text, end)) {
          const name = nameOf(text.slice(at + 1, end));
          if (names.has(name)) return name;
          names.add(name);
        }
        at = end;
        break;
      }
    }
  }
  return undefined;
}

const COLON = 0x3a;
const SPACE = 0x20; // the other white space of JSON is below it

function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= SPACE) next += 1;
  return text.charCodeAt(next) === COLON;
}

const nameOf = (raw: string): string => (raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw);
