import type { Chain } from '../../chain.ts'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import type { AgentEffects } from '../../policy/agent-effects.ts'
import { seaportContracts } from '../seaport-contracts.ts'
import type { TypedData } from '../typed-data.ts'
import { encodeType } from '../typed-data-types.ts'
import type { JsonObject } from '../typed-data-value.ts'
import { addressIn, integerIn, objectsIn } from '../typed-values.ts'

const item = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const items = `ConsiderationItem(${item},address recipient)OfferItem(${item})`
const order =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)'
/** A tree of 2 to 2^24 orders. */
const bulkStart = /^BulkOrder\(OrderComponents(?:\[2\]){1,24} tree\)/
/** Kinds of items; what comes behind has an id. */
const [nativeItem, tokenItem] = [0n, 1n]
const nobody = '0x0000000000000000000000000000000000000000'

/**
 * What an order, or every order of a tree, offers to whoever pays for it: transfers to anybody (`to` null), each of the larger
 * of its two amounts. Items with ids have no amount, and orders that offer nothing no meaning here: both are the trap
 * `typed_data_not_allowed`, but for nobody's orders, which fill a tree. Other typed data is `undefined`.
 */
export function readSeaportOrder(typed: TypedData, contract: string, chain: Chain): AgentEffects | undefined {
  if (!seaportContracts.has(contract)) return undefined
  const orders = ordersOf(typed)
  if (!orders) return undefined
  const read = orders.map((made) => ({
    offers: objectsIn(made, 'offer'),
    offerer: addressIn(made, 'offerer'),
  }))
  const offers = read.flatMap((made) => made.offers.map((offer) => ({ offer, offerer: made.offerer })))
  const hasIds = offers.some(({ offer }) => integerIn(offer, 'itemType') > tokenItem)
  const isEmpty =
    offers.length === 0 || read.some((made) => made.offers.length === 0 && made.offerer !== nobody)
  if (hasIds || isEmpty) return { effects: [], fee: null, trap: 'typed_data_not_allowed' }
  return {
    effects: offers.map(({ offer, offerer }) => offered(offer, offerer, chain)),
    fee: null,
    trap: null,
  }
}

function ordersOf({ primaryType, types, message }: TypedData): readonly JsonObject[] | undefined {
  const type = encodeType(primaryType, types)
  if (type === order + items) return [message]
  const bulk = bulkStart.exec(type)
  return bulk && type.slice(bulk[0].length) === items + order ? objectsIn(message, 'tree') : undefined
}

function offered(offer: JsonObject, from: string, chain: Chain): AgentEffect {
  const isNative = integerIn(offer, 'itemType') === nativeItem
  return {
    kind: 'transfer',
    asset: isNative ? chain.nativeAsset.symbol : addressIn(offer, 'token'),
    amount: larger(integerIn(offer, 'startAmount'), integerIn(offer, 'endAmount')),
    from,
    to: null,
    isNative,
    contract: null,
    selector: null,
  }
}

function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
