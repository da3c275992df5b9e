/** What the TV providers sell at first, by the vendor's service id. Names, codes and spellings are from the vendor's pages. */
export const BOUQUETS: Readonly<
  Record<string, readonly { readonly code: string; readonly name: string; readonly amountKobo: bigint }[]>
> = {
  dstv: [
    { code: "dstv-padi", name: "DStv Padi N4,400", amountKobo: 440_000n },
    { code: "dstv-yanga", name: "DStv Yanga N6,000", amountKobo: 600_000n },
    { code: "dstv-confam", name: "Dstv Confam N11,000", amountKobo: 1_100_000n },
    { code: "dstv79", name: "DStv  Compact N19,000", amountKobo: 1_900_000n },
    { code: "extraview-access", name: "ExtraView Access N6,000", amountKobo: 600_000n },
    { code: "dstv-mobile-1", name: "DSTV MOBILE N790", amountKobo: 79_000n },
    // The price is not in the name, or not the one in the name.
    { code: "dstv-box-office", name: "DStv Box Office", amountKobo: 80_000n },
    { code: "dstv-premium-wafr-showmax", name: "DStv Premium W/Afr + Showmax N37,000", amountKobo: 4_200_000n },
  ],
  gotv: [
    { code: "gotv-smallie", name: "GOtv Smallie - monthly N1900", amountKobo: 190_000n },
    { code: "gotv-smallie-3months", name: "GOtv Smallie - quarterly N5,100", amountKobo: 510_000n },
    { code: "gotv-smallie-1year", name: "GOtv Smallie - yearly N15,000", amountKobo: 1_500_000n },
    { code: "gotv-jolli", name: "GOtv Jolli N5,800", amountKobo: 580_000n },
    { code: "gotv-supa-plus", name: "GOtv Supa Plus - monthly N16,800", amountKobo: 1_680_000n },
  ],
  startimes: [
    { code: "nova", name: "Nova (Dish) - 2100 Naira - 1 Month", amountKobo: 210_000n },
    { code: "nova-weekly", name: "Nova (Antenna) - 700 Naira - 1 Week", amountKobo: 70_000n },
    { code: "nova-daily", name: "Nova - 90 Naira - 1 Day", amountKobo: 9_000n },
    { code: "global-weekly-dish", name: "Global (Dish) - 6500 Naira - 1Week", amountKobo: 650_000n },
    // A deposit of any amount.
    { code: "ewallet", name: "ewallet Amount", amountKobo: 0n },
  ],
  showmax: [
    { code: "mobile_only_3", name: "Mobile Only - N3,800 - 3 Months", amountKobo: 380_000n },
    { code: "sports-only-1", name: "Sports Only - N3,200", amountKobo: 320_000n },
    { code: "full_3", name: "Full - N8,400 - 3 Months", amountKobo: 840_000n },
    { code: "full-only-6", name: "Full - 6 months - 14,700", amountKobo: 1_470_000n },
  ],
};
