/** Whose business it is: the head of every receipt, from the operator's configuration. */
export interface Seller {
  readonly name: string;
  readonly address?: string;
  readonly tin?: string;
  readonly phone?: string;
  readonly email?: string;
  readonly logo?: SellerLogo;
}

export interface SellerLogo {
  readonly type: LogoType;
  readonly bytes: Uint8Array;
}

/** What pages and PDFs both show. */
export const LOGO_TYPES = ["image/png", "image/jpeg"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** The seller as JSON has it: without the picture. */
export const sellerView = ({ name, address, tin, phone, email }: Seller) => ({
  name,
  ...(address !== undefined && { address }),
  ...(tin !== undefined && { tin }),
  ...(phone !== undefined && { phone }),
  ...(email !== undefined && { email }),
});

/** What stands below the seller's name, line by line. */
export const sellerLines = ({ address, tin, phone, email }: Seller): readonly string[] =>
  [address, tin && `TIN ${tin}`, [phone, email].filter(Boolean).join(" · ")].filter(
    (one) => one !== undefined && one !== "",
  ) as string[];
