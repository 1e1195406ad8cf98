import type { Effect } from '../effect.ts'
import type { AbiReader } from './abi-reader.ts'

/** Who calls which contract; both EIP-55 addresses. */
export type MethodCall = { readonly contract: string; readonly sender: string }

/**
 * What a known method does: its effects, its arguments by name, what a person should be warned of; a title of its own where
 * the arguments turn the method's around.
 */
export type MethodMeaning = {
  readonly title?: string
  readonly effects: readonly Effect[]
  readonly args: Readonly<Record<string, string>>
  readonly warning?: string
}

/** A method whose meaning is known by its selector. */
export type KnownMethod = {
  readonly name: string
  readonly title: string
  readonly argumentCount: number
  read(reader: AbiReader, call: MethodCall): MethodMeaning
}
