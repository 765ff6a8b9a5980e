import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconBook, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useText } from "../shared/text.ts";
import { useMe, useSignOut } from "./session.ts";
import { appTexts } from "./text.ts";

export function UserMenu() {
  const t = useText(appTexts);
  const { user } = useMe();
  const signOut = useSignOut();
  return (
    <Menu position="top-start" width={220} shadow="md">
      <Menu.Target>
        <UnstyledButton px={8} py={5} miw={0} aria-label={`${t("userMenu")}: ${user.name}`}>
          <Text fz="sm" fw={500} truncate>
            {user.name}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          leftSection={<IconUserCircle size={16} stroke={1.6} />}
          renderRoot={(props) => <Link to="/profile" {...props} />}
        >
          {t("profile")}
        </Menu.Item>
        <Menu.Item component="a" href="/api/reference" leftSection={<IconBook size={16} stroke={1.6} />}>
          {t("reference")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void signOut()}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
