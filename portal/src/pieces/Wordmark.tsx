/** "Afara" with an arch over the middle `a`: a bridge. */
export const Wordmark = ({ height = 24 }: { readonly height?: number }) => (
  <svg height={height} viewBox="0 0 74 32" role="img" aria-label="Afara">
    <text x="0" y="26" fill="currentColor" fontFamily="Inter, system-ui, sans-serif" fontSize="27" fontWeight="700">
      Afara
    </text>
    <path
      d="M29.500 8.500C31.500 4 34.500 2 37.500 2s6 2 8 6.500"
      fill="none"
      stroke="var(--brand)"
      strokeWidth="3"
      strokeLinecap="round"
    />
  </svg>
);
