/** "Afara" with an arch over the middle `a`: a bridge. */
export const Wordmark = ({ height = 24 }: { readonly height?: number }) => (
  <svg height={height} viewBox="0 0 84 32" role="img" aria-label="Afara">
    <text
      x="0"
      y="26"
      fill="currentColor"
      fontFamily="Inter, system-ui, sans-serif"
      fontSize="26"
      fontWeight="700"
      textLength="82"
    >
      Afara
    </text>
    <path
      d="M29.500 10.500C31.500 4.500 35 2.500 38 2.500s6.500 2 8.500 8"
      fill="none"
      stroke="var(--brand)"
      strokeWidth="3"
      strokeLinecap="round"
    />
  </svg>
);
