import { type Curve, networks } from '@symbolon/networks'
import type { Organization } from '../../../http/principal.ts'

/** The curves that at least one of the organization's networks uses. */
export const enabledCurves = ({ supportedNetworks }: Organization): ReadonlySet<Curve> =>
  new Set(supportedNetworks.flatMap((name) => networks.byName(name)?.curve ?? []))
