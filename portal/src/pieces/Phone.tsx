import { useState } from "react";
import styles from "./Phone.module.css";

/** `+2348031234567` → `+234 803 ••• 4567` */
export const masked = (phone: string): string =>
  /^\+\d{10,14}$/.test(phone) ? `${phone.slice(0, 4)} ${phone.slice(4, 7)} ••• ${phone.slice(-4)}` : phone;

/** A telephone's number, hidden from who looks over the shoulder until it is pressed. */
export function Phone({ number }: { readonly number: string }) {
  const [isShown, setShown] = useState(false);
  if (masked(number) === number) return <span className="mono">{number}</span>;
  const press = (event: React.MouseEvent) => {
    event.stopPropagation(); // of a row that opens something
    setShown(!isShown);
  };
  return (
    <button type="button" className={`${styles.phone} mono`} onClick={press} aria-label={labelOf(number, isShown)}>
      {isShown ? number : masked(number)}
    </button>
  );
}

const labelOf = (number: string, isShown: boolean): string =>
  isShown ? `${number}. Hide the number` : `${masked(number)}. Show the number`;
