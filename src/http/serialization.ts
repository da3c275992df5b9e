import fastJson from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify";

/** The framework's own serializers, each compiled when it is first needed: a start would spend a second on all of them. */
export const serializerCompiler: FastifySerializerCompiler<fastJson.Schema> = ({ schema }) => {
  let serialize: ((data: unknown) => string) | undefined;
  return (data) => {
    serialize ??= fastJson(schema);
    return serialize(data);
  };
};
