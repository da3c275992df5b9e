/** What Meta takes, in characters. Source: Cloud API reference, messages and interactive objects. */
export const LIMITS = {
  text: 4_096,
  caption: 1_024,
  filename: 240,
  interactive: { body: 1_024, header: 60, footer: 60 },
  /** The body of a list may be longer than that above buttons. */
  buttons: { most: 3, title: 20, id: 256 },
  list: {
    body: 4_096,
    button: 20,
    sections: 10,
    rows: 10,
    sectionTitle: 24,
    rowId: 200,
    rowTitle: 24,
    rowDescription: 72,
  },
  ctaUrl: { label: 20, url: 2_000 },
  /** `onlyBody`: of one that has neither header, footer nor buttons. */
  template: {
    name: 512,
    language: 15,
    variable: 32_768,
    header: 60,
    body: 1_024,
    onlyBody: 32_768,
    url: 2_000,
    code: 15,
  },
} as const;
