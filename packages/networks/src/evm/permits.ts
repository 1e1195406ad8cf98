import type { Effect } from '../effect.ts'
import { permit2Address } from './permit2.ts'
import type { TypedData } from './typed-data.ts'
import { encodeType } from './typed-data-types.ts'
import type { JsonObject } from './typed-data-value.ts'
import { addressIn, integerIn, objectsIn } from './typed-values.ts'

type Read = (message: JsonObject, contract: string, signer: string) => readonly Effect[] | undefined

const permitted = 'TokenPermissions(address token,uint256 amount)'
const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const authorization =
  'WithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'

/** By exact type, in the domain of a token: EIP-2612, DAI's permit, EIP-3009. */
const tokenTypes: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    (message, contract) => [
      approval(contract, integerIn(message, 'value'), addressIn(message, 'owner'), message),
    ],
  ],
  [
    'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    (message, contract) => [
      approval(contract, message['allowed'] === false ? 0n : null, addressIn(message, 'holder'), message),
    ],
  ],
  [`Transfer${authorization}`, authorized],
  [`Receive${authorization}`, authorized],
  ['CancelAuthorization(address authorizer,bytes32 nonce)', () => []],
])

/** By exact type, in the domain of Permit2. */
const permit2Types: ReadonlyMap<string, Read> = new Map([
  [
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`,
    allowances('details'),
  ],
  [
    `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`,
    allowances('details'),
  ],
  [
    `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permitted}`,
    allowances('permitted'),
  ],
  [
    `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${permitted}`,
    allowances('permitted'),
  ],
])

/** How the types with a witness start: one more member follows, which says what the spender makes of the tokens. */
const witnessStarts: ReadonlyMap<string, string> = new Map([
  ['PermitWitnessTransferFrom', 'TokenPermissions'],
  ['PermitBatchWitnessTransferFrom', 'TokenPermissions[]'],
])
const witnessRest = ['address spender', 'uint256 nonce', 'uint256 deadline']

/**
 * What the signature of a permit lets others do, by its exact type and the contract of its domain; `undefined` for typed data that is none,
 * or a list of no tokens: whatever else it says is not about tokens. A person is shown, and a policy prices, what stands here.
 */
export function permitEffects(
  typed: TypedData,
  contract: string,
  signer: string,
): readonly Effect[] | undefined {
  return readerOf(typed, contract)?.(typed.message, contract, signer)
}

function readerOf(typed: TypedData, contract: string): Read | undefined {
  const { primaryType, types } = typed
  if (contract !== permit2Address) return tokenTypes.get(encodeType(primaryType, types))
  return isWitnessed(typed) ? allowances('permitted') : permit2Types.get(encodeType(primaryType, types))
}

/** Whether typed data in the domain of Permit2 is a transfer with a witness, which is then the last of its members. */
export function isWitnessed({ primaryType, types }: Pick<TypedData, 'primaryType' | 'types'>): boolean {
  const list = witnessStarts.get(primaryType)
  const fields = types.get(primaryType)?.map(({ type, name }) => `${type} ${name}`)
  if (list === undefined || fields?.length !== 5) return false
  const start = [`${list} permitted`, ...witnessRest]
  return (
    start.every((field, index) => fields[index] === field) &&
    encodeType('TokenPermissions', types) === permitted
  )
}

function allowances(member: 'details' | 'permitted'): Read {
  return (message, _, signer) => {
    const effects = objectsIn(message, member).map((entry) =>
      approval(addressIn(entry, 'token'), integerIn(entry, 'amount'), signer, message),
    )
    return effects[0] && effects
  }
}

function authorized(message: JsonObject, contract: string): readonly Effect[] {
  return [
    {
      kind: 'transfer',
      asset: contract,
      amount: integerIn(message, 'value'),
      from: addressIn(message, 'from'),
      to: addressIn(message, 'to'),
    },
  ]
}

function approval(asset: string, amount: bigint | null, from: string, message: JsonObject): Effect {
  return { kind: 'approval', asset, amount, from, to: addressIn(message, 'spender') }
}
