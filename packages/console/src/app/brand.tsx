import { Group, Text } from "@mantine/core";

export function Brand() {
  return (
    <Group gap={9} wrap="nowrap">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0c6b75" />
        <path d="M8 9.5h7M8 16h16M17 22.5h7" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
        <circle cx="21.5" cy="9.5" r="2.4" fill="#8fe3d4" />
        <circle cx="10.5" cy="22.5" r="2.4" fill="#8fe3d4" />
      </svg>
      <Text fw={650} fz="md" lts="-0.01em">
        Interlingua
      </Text>
    </Group>
  );
}
