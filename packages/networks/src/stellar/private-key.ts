import type { PrivateKeyForm } from '../network.ts'
import { readStrkey, strkey } from './strkey.ts'

/** S… strkey (SEP-23). */
export const stellarPrivateKey: PrivateKeyForm = {
  label: 'Stellar (S…)',
  format: (key) => strkey('seed', key),
  parse: (text) => readStrkey('seed', text),
}
