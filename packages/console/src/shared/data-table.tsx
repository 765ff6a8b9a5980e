import { Button, Checkbox, Group, Skeleton, Table, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { columnVisibilityFeature, createColumnHelper, tableFeatures, useTable } from "@tanstack/react-table";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";
import classes from "./data-table.module.css";
import { LoadFailed } from "./load-failed.tsx";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  align?: "left" | "right" | "center";
  width?: number | string;
  /** A click on the head asks `onSort` for it. */
  sortable?: boolean;
}

export interface Sort {
  column: string;
  direction: "asc" | "desc";
}

export interface DataTableProps<Row> {
  /** What the rows are, for those who do not see them. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while the first ones are on their way. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  error?: unknown;
  onRetry?: () => void;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  /** Makes rows open by click and by Enter. */
  onOpen?: (row: Row) => void;
  hidden?: readonly string[];
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  selection?: { selected: ReadonlySet<string>; onChange: (selected: ReadonlySet<string>) => void };
  /** More rows there are, and how to get them. */
  more?: { has: boolean; loading: boolean; load: () => void };
  /** Marks a row, for example the one whose drawer is open. */
  isMarked?: (row: Row) => boolean;
  minWidth?: number;
}

const features = tableFeatures({ columnVisibilityFeature });
const noRows: never[] = [];

/** The one table of the console: rows of a list that is read page by page. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, error, onRetry, empty, onOpen, hidden, sort, onSort, selection, more } = props;
  const t = useText(sharedTexts);
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map(({ id, header, cell }) =>
      helper.display({ id, header: () => header, cell: ({ row }) => cell(row.original) }),
    );
  }, [columns]);
  const shapes = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const columnVisibility = useMemo(() => Object.fromEntries((hidden ?? []).map((id) => [id, false])), [hidden]);
  const table = useTable({
    features,
    columns: definitions,
    data: (rows ?? noRows) as Row[],
    getRowId: rowId,
    state: { columnVisibility },
  });

  if (error && (rows === undefined || rows.length === 0))
    return <LoadFailed error={error} {...(onRetry && { onRetry })} />;
  if (rows !== undefined && rows.length === 0 && !more?.has) return <>{empty}</>;

  const shown = table.getRowModel().rows;
  const chosen = selection?.selected;
  const allChosen = shown.length > 0 && shown.every((row) => chosen?.has(row.id));
  const chooseAll = () => selection?.onChange(allChosen ? new Set() : new Set(shown.map((row) => row.id)));
  const choose = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    selection?.onChange(next);
  };
  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, row: Row) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Enter") onOpen?.(row);
    const to =
      event.key === "j" || event.key === "ArrowDown"
        ? event.currentTarget.nextElementSibling
        : event.key === "k" || event.key === "ArrowUp"
          ? event.currentTarget.previousElementSibling
          : undefined;
    if (to instanceof HTMLElement) {
      event.preventDefault();
      to.focus();
    }
  };

  return (
    <>
      {error !== undefined && error !== null && <LoadFailed error={error} {...(onRetry && { onRetry })} />}
      <Table.ScrollContainer
        minWidth={props.minWidth ?? 640}
        type="native"
        className={classes.box}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <Table verticalSpacing={7} horizontalSpacing="sm" fz="sm" className={classes.table}>
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {selection && (
                  <Table.Th scope="col" w={36}>
                    <Checkbox size="xs" aria-label={t("selectAll")} checked={allChosen} onChange={chooseAll} />
                  </Table.Th>
                )}
                {group.headers.map((header) => {
                  const shape = shapes.get(header.column.id);
                  const sorted = sort?.column === header.column.id ? sort.direction : undefined;
                  return (
                    <Table.Th
                      key={header.id}
                      scope="col"
                      ta={shape?.align ?? "left"}
                      w={shape?.width}
                      {...(sorted && { "aria-sort": sorted === "asc" ? "ascending" : "descending" })}
                    >
                      {shape?.sortable && onSort ? (
                        <UnstyledButton
                          className={classes.sort}
                          onClick={() =>
                            onSort({ column: header.column.id, direction: sorted === "desc" ? "asc" : "desc" })
                          }
                        >
                          <table.FlexRender header={header} />
                          {sorted === "asc" && <IconArrowUp size={13} aria-label={t("sortedAscending")} />}
                          {sorted === "desc" && <IconArrowDown size={13} aria-label={t("sortedDescending")} />}
                        </UnstyledButton>
                      ) : (
                        <table.FlexRender header={header} />
                      )}
                    </Table.Th>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody aria-busy={rows === undefined}>
            {rows === undefined && (
              <SkeletonRows columns={table.getVisibleLeafColumns().length + (selection ? 1 : 0)} />
            )}
            {shown.map((row) => (
              <Table.Tr
                key={row.id}
                data-marked={props.isMarked?.(row.original) || undefined}
                {...(onOpen && {
                  className: classes.openable,
                  tabIndex: 0,
                  onClick: () => onOpen(row.original),
                  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => onKey(event, row.original),
                })}
              >
                {selection && (
                  <Table.Td onClick={(event) => event.stopPropagation()}>
                    <Checkbox
                      size="xs"
                      aria-label={`${t("selectRow")} ${row.id}`}
                      checked={chosen?.has(row.id) ?? false}
                      onChange={() => choose(row.id)}
                    />
                  </Table.Td>
                )}
                {row.getVisibleCells().map((cell) => (
                  <Table.Td key={cell.id} ta={shapes.get(cell.column.id)?.align ?? "left"}>
                    <table.FlexRender cell={cell} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows === undefined && <VisuallyHidden role="status">{t("loading")}</VisuallyHidden>}
      {rows !== undefined && more && (
        <Group justify="center" py="sm">
          {more.has ? (
            <Button variant="default" size="xs" loading={more.loading} onClick={more.load}>
              {t("showMore")}
            </Button>
          ) : (
            rows.length > 20 && (
              <Text fz="xs" c="dimmed">
                {t("theEnd")}
              </Text>
            )
          )}
        </Group>
      )}
    </>
  );
}

const placeholders = [0, 1, 2, 3, 4, 5, 6, 7];

function SkeletonRows({ columns }: { columns: number }) {
  const cells = Array.from({ length: columns }, (_, column) => column);
  return placeholders.map((row) => (
    <Table.Tr key={row}>
      {cells.map((column) => (
        <Table.Td key={column}>
          <Skeleton h={14} w={`${50 + ((row * 7 + column * 13) % 40)}%`} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
