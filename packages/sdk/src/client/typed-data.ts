import type { SignRequest, TypedData } from '../generated/requests.ts'
import { toJson } from '../json.ts'
import type { Signable, TypedDataInput } from './signing-types.ts'

/** Typed data as the API takes it: bigints as decimal strings, without undefined members, an absent domain empty. */
export function toTypedData({ domain = {}, types, primaryType, message = {} }: TypedDataInput): TypedData {
  return JSON.parse(toJson({ domain, types, primaryType, message }))
}

/** A request as the API takes it. */
export function toSignRequest<request extends SignRequest>(given: Signable<request>): request {
  const { typed_data: typedData } = given as { readonly typed_data?: TypedDataInput }
  return (typedData === undefined ? given : { ...given, typed_data: toTypedData(typedData) }) as request
}
