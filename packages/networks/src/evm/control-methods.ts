import { excerptHex } from '../preview/excerpt.ts'
import type { AbiReader } from './abi-reader.ts'
import type { KnownMethod } from './known-method.ts'
import { takeoverStart } from './takeover.ts'

/** Who controls a Safe (1.3, 1.4) or a modular account (ERC-7579): title, and the arguments by type and name. */
const control: readonly (readonly [name: string, title: string, arguments: string])[] = [
  ['addOwnerWithThreshold', 'Add an owner', 'address owner,uint256 threshold'],
  ['removeOwner', 'Remove an owner', 'address previous,address owner,uint256 threshold'],
  ['swapOwner', 'Replace an owner', 'address previous,address owner,address new_owner'],
  ['changeThreshold', 'Change how many owners sign', 'uint256 threshold'],
  ['enableModule', 'Enable a module', 'address module'],
  ['disableModule', 'Disable a module', 'address previous,address module'],
  ['setGuard', 'Set a guard', 'address guard'],
  ['setModuleGuard', 'Set a guard of modules', 'address guard'],
  ['setFallbackHandler', 'Set a fallback handler', 'address handler'],
  ['changeMasterCopy', 'Change the code of an account', 'address implementation'],
  ['installModule', 'Install a module', 'uint256 type,address module,bytes data'],
  ['uninstallModule', 'Remove a module', 'uint256 type,address module,bytes data'],
]

const readers: Readonly<Record<string, (reader: AbiReader) => string>> = {
  address: (reader) => reader.address(),
  uint256: (reader) => String(reader.uint()),
  bytes: (reader) => excerptHex(reader.bytes()),
}

/** Those methods by signature, each an `admin` effect with a warning of a takeover. */
export const controlMethods: Readonly<Record<string, Omit<KnownMethod, 'name' | 'argumentCount'>>> =
  Object.fromEntries(
    control.map(([name, title, args]) => [signatureOf(name, args), { title, read: read(title, args) }]),
  )

function signatureOf(name: string, args: string): string {
  return `${name}(${args.replace(/ \w+/g, '')})`
}

function read(title: string, parameters: string): KnownMethod['read'] {
  return (reader, { contract, sender }) => {
    const args = Object.fromEntries(
      parameters.split(',').map((parameter) => {
        const [type = '', name = ''] = parameter.split(' ')
        return [name, readers[type]?.(reader) ?? '']
      }),
    )
    const described = Object.entries(args).map(([name, value]) => `${name} ${value}`)
    return {
      effects: [{ kind: 'admin', asset: null, amount: null, from: sender, to: contract }],
      args,
      warning: `${takeoverStart}${title.toLowerCase()} of ${contract}: ${described.join(', ')}.`,
    }
  }
}
