import { toHex } from '../codec/hex.ts'
import type { Effect } from '../effect.ts'
import { invalidPayload } from '../network-error.ts'
import { controlMethods } from './control-methods.ts'
import type { KnownMethod, MethodCall, MethodMeaning } from './known-method.ts'
import { methodTable } from './method-table.ts'
import { permit2Address } from './permit2.ts'

/** The method of a selector (8 hex digits), or `undefined`. */
export function knownMethod(selector: string): KnownMethod | undefined {
  return bySelector.get(selector)
}

const methods: Readonly<Record<string, Omit<KnownMethod, 'name' | 'argumentCount'>>> = {
  'transfer(address,uint256)': {
    title: 'Transfer token',
    read: (reader, call) => moved(call, call.sender, reader.address(), reader.uint()),
  },
  'transferFrom(address,address,uint256)': {
    title: 'Transfer token',
    read: (reader, call) => moved(call, reader.address(), reader.address(), reader.uint()),
  },
  'safeTransferFrom(address,address,uint256)': {
    title: 'Transfer NFT',
    read: (reader, call) => movedItem(call, reader.address(), reader.address(), [reader.uint()], [1n]),
  },
  'safeTransferFrom(address,address,uint256,bytes)': {
    title: 'Transfer NFT',
    read(reader, call) {
      const meaning = movedItem(call, reader.address(), reader.address(), [reader.uint()], [1n])
      reader.bytes()
      return meaning
    },
  },
  'safeTransferFrom(address,address,uint256,uint256,bytes)': {
    title: 'Transfer NFT',
    read(reader, call) {
      const meaning = movedItem(call, reader.address(), reader.address(), [reader.uint()], [reader.uint()])
      reader.bytes()
      return meaning
    },
  },
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': {
    title: 'Transfer NFTs',
    read(reader, call) {
      const meaning = movedItem(call, reader.address(), reader.address(), reader.uints(), reader.uints())
      reader.bytes()
      return meaning
    },
  },
  'approve(address,uint256)': {
    title: 'Approve token spending',
    read: (reader, call) => approved(call.contract, call.sender, reader.address(), reader.uint()),
  },
  'increaseAllowance(address,uint256)': {
    title: 'Raise token allowance',
    read: (reader, call) => approved(call.contract, call.sender, reader.address(), reader.uint()),
  },
  'decreaseAllowance(address,uint256)': {
    title: 'Lower token allowance',
    read(reader, call) {
      const args = { spender: reader.address(), amount: String(reader.uint()) }
      return { effects: [effect('approval', call.contract, 0n, call.sender, args.spender)], args }
    },
  },
  'approve(address,address,uint160,uint48)': {
    title: 'Approve token spending',
    read(reader, call) {
      const token = reader.address()
      const asset = call.contract === permit2Address ? token : call.contract
      const meaning = approved(asset, call.sender, reader.address(), reader.uint(160))
      return { ...meaning, args: { token, ...meaning.args, expiration: String(reader.uint(48)) } }
    },
  },
  'setApprovalForAll(address,bool)': {
    title: 'Approve all NFTs',
    read(reader, call) {
      const operator = reader.address()
      const isApproved = reader.bool()
      const args = { operator, approved: String(isApproved) }
      if (!isApproved) {
        const effects = [effect('approval', call.contract, 0n, call.sender, operator)]
        return { title: 'Revoke NFT approval', effects, args }
      }
      return {
        effects: [effect('approval', call.contract, null, call.sender, operator)],
        args,
        warning: `${operator} may take every item of this collection.`,
      }
    },
  },
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': {
    title: 'Submit a permit',
    read(reader, call) {
      const meaning = approved(call.contract, reader.address(), reader.address(), reader.uint())
      const deadline = String(reader.uint())
      reader.uint(8)
      reader.word()
      reader.word()
      return { ...meaning, args: { ...meaning.args, deadline } }
    },
  },
  'transferOwnership(address)': {
    title: 'Hand over a contract',
    read(reader, call) {
      const args = { new_owner: reader.address() }
      return administered(call, args, `${args.new_owner} becomes the owner of the contract.`)
    },
  },
  'renounceOwnership()': {
    title: 'Give up a contract',
    read: (_, call) => administered(call, {}, 'The contract will have no owner.'),
  },
  'upgradeTo(address)': {
    title: 'Upgrade a contract',
    read: (reader, call) => upgraded(call, { implementation: reader.address() }),
  },
  'upgradeToAndCall(address,bytes)': {
    title: 'Upgrade a contract',
    read(reader, call) {
      const implementation = reader.address()
      return upgraded(call, { implementation, data: `0x${toHex(reader.bytes())}` })
    },
  },
}

/** More items than a person reads; such a call counts as unknown. */
const itemsMax = 50

const bySelector: ReadonlyMap<string, KnownMethod> = methodTable({ ...methods, ...controlMethods })

function effect(
  kind: Effect['kind'],
  asset: string | null,
  amount: bigint | null,
  from: string,
  to: string,
): Effect {
  return { kind, asset, amount, from, to }
}

function moved(call: MethodCall, from: string, to: string, amount: bigint): MethodMeaning {
  return {
    effects: [effect('transfer', call.contract, amount, from, to)],
    args: { from, to, amount: String(amount) },
  }
}

function movedItem(
  call: MethodCall,
  from: string,
  to: string,
  ids: readonly bigint[],
  amounts: readonly bigint[],
): MethodMeaning {
  if (ids.length !== amounts.length || ids.length > itemsMax) throw invalidPayload('The batch is malformed.')
  return {
    effects: amounts.map((amount) => effect('transfer', call.contract, amount, from, to)),
    args: { from, to, token_id: ids.join(','), amount: amounts.join(',') },
  }
}

function approved(asset: string, owner: string, spender: string, amount: bigint): MethodMeaning {
  return {
    effects: [effect('approval', asset, amount, owner, spender)],
    args: { spender, amount: String(amount) },
  }
}

function administered(
  call: MethodCall,
  args: Readonly<Record<string, string>>,
  warning: string,
): MethodMeaning {
  return { effects: [effect('admin', null, null, call.sender, call.contract)], args, warning }
}

function upgraded(call: MethodCall, args: Readonly<Record<string, string>>): MethodMeaning {
  return administered(call, args, 'The code of the contract changes.')
}
