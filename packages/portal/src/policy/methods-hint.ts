import { type NetworkName, selectorForms } from '@symbolon/networks/names'

/** What the field for the methods of a contract says while it is empty; without a network, of all of them. */
export function methodsHint(network: NetworkName | undefined): string {
  if (network === undefined) return 'All methods, or those you name'
  const form = selectorForms[network]
  return form === null
    ? 'All methods: this network doesn’t name them'
    : `All methods, or ${form.what}: ${form.example} …`
}
