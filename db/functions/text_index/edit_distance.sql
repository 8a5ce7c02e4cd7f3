-- Returns the number of insertions, deletions, substitutions and transpositions of adjacent characters that turn one
-- word into the other, editing no character twice (optimal string alignment); null above `most`. Skips the common
-- prefix and suffix and computes only the band of the matrix that can contain `most` edits.
create or replace function memory_internal.edit_distance(one text, other text, most integer) returns integer
language plpgsql immutable strict parallel safe as $$
declare
    a text[];
    b text[];
    n integer := length(one);
    m integer := length(other);
    previous_row integer[];
    last_row integer[];
    this_row integer[];
    edits integer;
    least_edits integer;
begin
    if abs(n - m) > most then
        return null;
    end if;
    a := string_to_array(one, null);
    b := string_to_array(other, null);
    while n > 0 and m > 0 and a[n] = b[m] loop
        n := n - 1;
        m := m - 1;
    end loop;
    edits := 0;
    while edits < n and edits < m and a[edits + 1] = b[edits + 1] loop
        edits := edits + 1;
    end loop;
    a := a[edits + 1:n];
    b := b[edits + 1:m];
    n := n - edits;
    m := m - edits;
    if n = 0 or m = 0 then
        return n + m;  -- at most `most`: checked above
    end if;
    last_row := array(select generate_series(0, m));
    for i in 1..n loop
        this_row := array_fill(most + 1, array[m + 1]);
        this_row[1] := i;
        least_edits := least(i, most + 1);
        for j in greatest(1, i - most)..least(m, i + most) loop
            edits := least(last_row[j + 1] + 1, this_row[j] + 1, last_row[j] + (a[i] <> b[j])::integer);
            if i > 1 and j > 1 and a[i] = b[j - 1] and a[i - 1] = b[j] then
                edits := least(edits, previous_row[j - 1] + 1);
            end if;
            this_row[j + 1] := edits;
            least_edits := least(least_edits, edits);
        end loop;
        if least_edits > most then
            return null;
        end if;
        previous_row := last_row;
        last_row := this_row;
    end loop;
    return nullif(least(last_row[m + 1], most + 1), most + 1);
end $$;
