import { networks } from '@symbolon/networks/browser'

/** What people call the chain of a handle; the handle itself where it is unknown. */
export function chainName(handle: string): string {
  return networks.chain(handle)?.label ?? handle
}

/** Whether the assets of a chain are worth nothing. */
export function isTestChain(handle: string): boolean {
  return networks.chain(handle)?.isTest === true
}
