import Type, { type TSchema } from "typebox";

/** One value for each network, and one for all others. */
export const byNetwork = <Value extends TSchema>(name: string, value: Value) =>
  Type.Object(
    {
      default: value,
      mtn: Type.Optional(value),
      airtel: Type.Optional(value),
      glo: Type.Optional(value),
      "9mobile": Type.Optional(value),
    },
    { title: `${name}ByNetwork`, description: "`default` applies to every network not listed." },
  );

export const BasisPoints = Type.Integer({ description: "in 1/100 of a percent" });
