import type { ReactNode } from "react";
import type { Models } from "../api/client.ts";
import { problemOf } from "../api/problem.ts";
import { type Amount, Money, minus } from "./Money.tsx";
import styles from "./PriceBox.module.css";

interface PriceBoxProps {
  readonly price: Models["Price"] | undefined;
  /** Why there is no price. */
  readonly error: unknown;
  readonly available: Amount | undefined;
  /** Besides: what it is cheaper by, what is owed. */
  readonly children?: ReactNode;
}

/** The price of what is about to be bought, the tax in it, and what is left of the wallet afterwards. */
export const PriceBox = ({ price, error, available, children }: PriceBoxProps) => (
  <dl className={styles.box} aria-live="polite" aria-label="Price">
    <PriceLine name="Price">
      <strong>{price ? <Money of={price} /> : "–"}</strong>
    </PriceLine>
    <PriceLine name="VAT in it">{price ? <Money of={{ ...price, amount: price.tax }} /> : "–"}</PriceLine>
    {children}
    <PriceLine name="Left in the test wallet">
      {price && available ? <Money of={minus(available, price)} /> : "–"}
    </PriceLine>
    {error ? <PriceLine name="No price">{problemOf(error).message}</PriceLine> : null}
  </dl>
);

export const PriceLine = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
