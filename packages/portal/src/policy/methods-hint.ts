import { type NetworkName, selectorForms } from '@symbolon/networks/names'

/** The placeholder of the field for a contract's methods; without a network, one that fits all. */
export function methodsHint(network: NetworkName | undefined): string {
  if (network === undefined) return 'All methods, or those you name'
  const form = selectorForms[network]
  return form === null
    ? 'All methods: this network doesn’t name them'
    : `All methods, or ${form.what}: ${form.example} …`
}
