import { selectorOf } from './selector.ts'

/** A method's name, how many words its arguments have in the head, and what else its table says of it. */
export type TableMethod<form> = form & { readonly name: string; readonly argumentCount: number }

/** Methods by selector, of a table by signatures such as `transfer(address,uint256)`; tuples in them hold something dynamic. */
export function methodTable<form>(
  forms: Readonly<Record<string, form>>,
): ReadonlyMap<string, TableMethod<form>> {
  return new Map(
    Object.entries(forms).map(([signature, form]) => {
      const open = signature.indexOf('(')
      const types = signature.slice(open + 1, -1).replace(/\([^()]*\)/g, '')
      const argumentCount = types === '' ? 0 : types.split(',').length
      return [selectorOf(signature), { ...form, name: signature.slice(0, open), argumentCount }]
    }),
  )
}
