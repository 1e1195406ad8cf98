import { type ReactNode, useState } from 'react'
import type { Role } from '../data/organization.tsx'
import { useMay } from '../data/organization.tsx'
import { Button } from './button.tsx'

type Props = Omit<Parameters<typeof Button>[0], 'role' | 'disabled' | 'title'>

const names: Record<Role, string> = {
  owner: 'owners',
  admin: 'admins and owners',
  developer: 'developers, admins and owners',
  viewer: 'members',
}

/** A button for members with at least the role `needs`; for others it is disabled and its title says who can use it. */
export function RoleButton({
  needs,
  isDisabled = false,
  ...rest
}: Props & { needs: Role; isDisabled?: boolean }) {
  const may = useMay(needs)
  return (
    <Button
      {...rest}
      disabled={isDisabled || !may}
      title={may ? undefined : `Only ${names[needs]} can do this`}
    />
  )
}

/** A role button that opens a dialog; `dialog` renders it and gets the function that closes it. */
export function DialogButton({
  dialog,
  ...rest
}: Omit<Parameters<typeof RoleButton>[0], 'onClick'> & { dialog: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <RoleButton {...rest} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}
