import styles from "./MagicNumbers.module.css";

const NUMBERS = [
  ["08000000001", "rejected: there is no such number"],
  ["08000000002", "undelivered: the phone is off; charged"],
  ["08000000003", "rejected: the number takes no such messages"],
  ["08000000004", "the first answer is lost, then delivered"],
  ["08000000005", "failed: the outcome can't be known"],
  ["08000000007", "throttled three times, then delivered"],
  ["08000000009", "expired; charged"],
] as const;

/** Numbers with a fixed outcome, for those who try. */
export const MagicNumbers = () => (
  <details className={`card ${styles.numbers}`}>
    <summary>Magic numbers: make it fail</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {NUMBERS.map(([number, outcome]) => (
          <tr key={number}>
            <td className="mono">{number}</td>
            <td>{outcome}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p>
      <a href="/docs/guides/test-mode">All magic numbers, meters and smartcards</a>
    </p>
  </details>
);
